"""Small aeroplanes as FMUs of FMI 2 and 3, compiled by the machine's compiler; and the same equations in Python."""

import math
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np

COMPILER = shutil.which("cc") or shutil.which("gcc")
G, THRUST, DRAG, ROLLING, PITCHING = 9.80665, 4.0, 0.0025, 1.5, 0.5
INPUTS = ("roll_stick", "pitch_stick", "yaw_stick", "throttle", "wind_x", "wind_y", "wind_z")
STARTS = ("start_x", "start_y", "start_z", "start_yaw", "start_speed")
OUTPUTS = ("x", "y", "z", "roll", "pitch", "yaw", "vx", "vy", "vz", "p", "q", "r")

CORE = r"""
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double in[7], start[5], out[12], s[7]; } Plane;
/* s: place along x and y of the frame, height, speed, climb angle, heading, bank to the right */
static void rates(const Plane* m, const double* s, double* d) {
    double turn = SIDE * 9.80665 * tan(s[6]) / s[3];
    d[0] = s[3] * cos(s[4]) * cos(s[5]) + m->in[4];
    d[1] = s[3] * cos(s[4]) * sin(s[5]) + m->in[5];
    d[2] = s[3] * sin(s[4]) + UP * m->in[6];
    d[3] = 4.0 * m->in[3] - 0.0025 * s[3] * s[3];
    d[4] = 0.5 * m->in[1];
    d[5] = turn;
    d[6] = 1.5 * m->in[0];
}
static void tell(Plane* m) {
    double d[7], *s = m->s, *o = m->out;
    rates(m, s, d);
    double pitch = UP < 0 ? s[4] : -s[4], pitching = UP < 0 ? d[4] : -d[4];
    o[0] = s[0]; o[1] = s[1]; o[2] = UP * s[2];
    o[3] = s[6]; o[4] = pitch; o[5] = s[5];
    o[6] = d[0]; o[7] = d[1]; o[8] = UP * d[2];
    o[9] = d[6] - d[5] * sin(pitch);
    o[10] = pitching * cos(s[6]) + d[5] * sin(s[6]) * cos(pitch);
    o[11] = -pitching * sin(s[6]) + d[5] * cos(s[6]) * cos(pitch);
}
static void begin(Plane* m) {
    memset(m->s, 0, sizeof m->s);
    m->s[0] = m->start[0]; m->s[1] = m->start[1]; m->s[2] = UP * m->start[2];
    m->s[3] = m->start[4]; m->s[5] = m->start[3];
    tell(m);
}
static void run(Plane* m, double dt) {
    for (int k = 0; k < 10; ++k) {
        double h = dt / 10, a[7], b[7], c[7], d[7], t[7];
        rates(m, m->s, a);
        for (int i = 0; i < 7; ++i) t[i] = m->s[i] + h / 2 * a[i];
        rates(m, t, b);
        for (int i = 0; i < 7; ++i) t[i] = m->s[i] + h / 2 * b[i];
        rates(m, t, c);
        for (int i = 0; i < 7; ++i) t[i] = m->s[i] + h * c[i];
        rates(m, t, d);
        for (int i = 0; i < 7; ++i) m->s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    tell(m);
}
static double* value(Plane* m, unsigned r) { return r < 7 ? m->in + r : r < 12 ? m->start + r - 7 : m->out + r - 12; }
"""
UNUSED2 = (
    "CancelStep GetBoolean GetInteger GetString SetBoolean SetInteger SetString GetDirectionalDerivative "
    "SetRealInputDerivatives GetRealOutputDerivatives GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus "
    "GetStringStatus"
).split()
FMI2 = (
    r"""
#define SIDE -1.0
#define UP 1.0
#include "fmi2FunctionTypes.h"
"""
    + CORE
    + r"""
const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String k[]) { return fmi2OK; }
fmi2Component fmi2Instantiate(fmi2String n, fmi2Type t, fmi2String g, fmi2String r, const fmi2CallbackFunctions* f,
                              fmi2Boolean v, fmi2Boolean l) { return calloc(1, sizeof(Plane)); }
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real t, fmi2Real s, fmi2Boolean sd, fmi2Real e)
{ return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { begin(c); return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { memset(c, 0, sizeof(Plane)); return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[])
{ for (size_t i = 0; i < n; ++i) v[i] = *value(c, r[i]); return fmi2OK; }
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[])
{ for (size_t i = 0; i < n; ++i) *value(c, r[i]) = v[i]; return fmi2OK; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean k)
{ if (((Plane*)c)->s[2] < -50.0) return fmi2Error; run(c, h); return fmi2OK; }
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s)
{ *s = malloc(sizeof(Plane)); memcpy(*s, c, sizeof(Plane)); return fmi2OK; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { memcpy(c, s, sizeof(Plane)); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { free(*s); *s = 0; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n)
{ *n = sizeof(Plane); return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n)
{ memcpy(b, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate* s)
{ *s = malloc(sizeof(Plane)); memcpy(*s, b, n); return fmi2OK; }
"""
    + "".join(f"int fmi2{name}(void) {{ return fmi2Error; }}\n" for name in UNUSED2)
)
UNUSED3 = (
    "ActivateModelPartition CompletedIntegratorStep DeserializeFMUState EnterConfigurationMode "
    "EnterContinuousTimeMode EnterEventMode EnterStepMode EvaluateDiscreteStates ExitConfigurationMode "
    "FreeFMUState GetAdjointDerivative GetBinary GetBoolean GetClock GetContinuousStateDerivatives "
    "GetContinuousStates GetDirectionalDerivative GetEventIndicators GetFMUState GetFloat32 GetInt16 GetInt32 "
    "GetInt64 GetInt8 GetIntervalDecimal GetIntervalFraction GetNominalsOfContinuousStates "
    "GetNumberOfContinuousStates GetNumberOfEventIndicators GetNumberOfVariableDependencies GetOutputDerivatives "
    "GetShiftDecimal GetShiftFraction GetString GetUInt16 GetUInt32 GetUInt64 GetUInt8 GetVariableDependencies "
    "InstantiateModelExchange InstantiateScheduledExecution Reset SerializeFMUState SerializedFMUStateSize "
    "SetBinary SetBoolean SetClock SetContinuousStates SetDebugLogging SetFMUState SetFloat32 SetInt16 SetInt32 "
    "SetInt64 SetInt8 SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction SetString SetTime "
    "SetUInt16 SetUInt32 SetUInt64 SetUInt8 UpdateDiscreteStates "
).split()
FMI3 = (
    r"""
#define SIDE 1.0
#define UP -1.0
#include "fmi3FunctionTypes.h"
"""
    + CORE
    + r"""
const char* fmi3GetVersion(void) { return "3.0"; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String n, fmi3String t, fmi3String r, fmi3Boolean v, fmi3Boolean l,
    fmi3Boolean e, fmi3Boolean y, const fmi3ValueReference q[], size_t m, fmi3InstanceEnvironment i,
    fmi3LogMessageCallback f, fmi3IntermediateUpdateCallback u) { return calloc(1, sizeof(Plane)); }
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean d, fmi3Float64 t, fmi3Float64 s, fmi3Boolean e,
    fmi3Float64 p) { return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { begin(c); return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t m)
{ for (size_t i = 0; i < n; ++i) v[i] = *value(c, r[i]); return fmi3OK; }
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[], size_t m)
{ for (size_t i = 0; i < n; ++i) *value(c, r[i]) = v[i]; return fmi3OK; }
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean k, fmi3Boolean* e, fmi3Boolean* q,
    fmi3Boolean* y, fmi3Float64* l)
{ run(c, h); *e = *y = 0; *q = ((Plane*)c)->s[2] < -50.0; *l = t + h; return fmi3OK; }
"""
    + "".join(f"int fmi3{name}(void) {{ return fmi3Error; }}\n" for name in UNUSED3)
)


def build(folder: Path, version: int) -> Path:
    """An FMU in a folder; 2: east, north, up, and its state can be kept; 3: north, east, down, and it cannot."""
    import fmpy

    folder.mkdir(parents=True, exist_ok=True)
    source, library = folder / "plane.c", folder / "plane.so"
    source.write_text(FMI2 if version == 2 else FMI3)
    headers = Path(fmpy.__file__).parent / "c-code"
    call = [COMPILER, "-O1", "-ffp-contract=off", "-shared", "-fPIC", f"-I{headers}", source, "-o", library, "-lm"]
    subprocess.run(call, check=True)
    fmu = folder / "plane.fmu"
    with zipfile.ZipFile(fmu, "w") as archive:
        archive.writestr("modelDescription.xml", _description(version))
        archive.write(library, "binaries/linux64/plane.so" if version == 2 else "binaries/x86_64-linux/plane.so")
    return fmu


def _description(version: int) -> str:
    kinds = [(n, "input") for n in INPUTS] + [(n, "parameter") for n in STARTS] + [(n, "output") for n in OUTPUTS]
    if version == 2:
        rows = [
            f'<ScalarVariable name="{n}" valueReference="{i}" causality="{c}" variability='
            f'"{"tunable" if c == "parameter" else "continuous"}"><Real {"" if c == "output" else "start=" + QUOTED}/>'
            "</ScalarVariable>"
            for i, (n, c) in enumerate(kinds)
        ]
        outputs = "".join(f'<Unknown index="{i + 1}"/>' for i, (_, c) in enumerate(kinds) if c == "output")
        return (
            '<?xml version="1.0"?><fmiModelDescription fmiVersion="2.0" modelName="plane" guid="{plane}">'
            '<CoSimulation modelIdentifier="plane" canHandleVariableCommunicationStepSize="true" '
            'canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>'
            f"<ModelVariables>{''.join(rows)}</ModelVariables><ModelStructure><Outputs>{outputs}</Outputs>"
            f"<InitialUnknowns>{outputs}</InitialUnknowns></ModelStructure></fmiModelDescription>"
        )
    rows = [
        f'<Float64 name="{n}" valueReference="{i}" causality="{c}" variability='
        f'"{"tunable" if c == "parameter" else "continuous"}" {"" if c == "output" else "start=" + QUOTED}/>'
        for i, (n, c) in enumerate(kinds)
    ]
    rows.append('<Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>')
    outputs = "".join(f'<Output valueReference="{i}"/>' for i, (_, c) in enumerate(kinds) if c == "output")
    return (
        '<?xml version="1.0"?><fmiModelDescription fmiVersion="3.0" modelName="plane" instantiationToken="{plane}">'
        '<CoSimulation modelIdentifier="plane" canHandleVariableCommunicationStepSize="true"/>'
        f"<ModelVariables>{''.join(rows)}</ModelVariables><ModelStructure>{outputs}</ModelStructure>"
        "</fmiModelDescription>"
    )


QUOTED = '"0"'


def reference(state, sticks, wind, dt, steps):
    """The same aeroplane in Python, in W: place [m], speed, climb angle, heading, bank to the right."""

    def rates(s):
        speed, climb, heading, bank = s[3:]
        level = speed * math.cos(climb)
        return np.array([
            level * math.cos(heading) + wind[0], level * math.sin(heading) + wind[1],
            speed * math.sin(climb) + wind[2], THRUST * sticks[2] - DRAG * speed**2, PITCHING * sticks[1],
            -G * math.tan(bank) / speed, ROLLING * sticks[0],
        ])  # fmt: skip

    s, h = np.array(state, float), dt / 10
    for _ in range(10 * steps):
        a = rates(s)
        b = rates(s + h / 2 * a)
        c = rates(s + h / 2 * b)
        d = rates(s + h * c)
        s = s + h / 6 * (a + 2 * b + 2 * c + d)
    return s
