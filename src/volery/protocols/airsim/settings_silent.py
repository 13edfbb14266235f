"""Keys of AirSim's and Cosys-AirSim's settings that have no effect here, and why; each that is given is said once."""

from __future__ import annotations

__all__ = ["CAMERA", "CAPTURE", "FIRMWARE", "LAYER", "NOISE", "RADIO", "RECORDING", "SENSOR", "TOP", "VEHICLE"]

_WINDOW = "it is for AirSim's own window; the page has its own controls"
_UNREAL = "it names things of the Unreal engine, which is not here"

TOP = {
    "SeeDocsAt": "it is a note", "SeeDocsAtURL": "it is a note",
    "ViewMode": "from where one looks is chosen in the page",
    "CameraDirector": "from where one looks is chosen in the page",
    "EngineSound": "there is no sound", "LogMessagesVisible": _WINDOW, "ShowLosDebugLines": _WINDOW,
    "SpeedUnitFactor": _WINDOW, "SpeedUnitLabel": _WINDOW, "RecordUIVisible": _WINDOW,
    "ClockType": "the clock goes in steps here, as SteppableClock does",
    "EnableRpc": "this server is there for RPC alone", "RpcEnabled": "this server is there for RPC alone",
    "FastPhysicsEngine": "drones on the ground are held by friction, not by a lock",
    "Default Environment": _UNREAL, "MaterialListFile": _UNREAL, "LevelName": _UNREAL, "UrdfTags": _UNREAL,
    "InitialInstanceSegmentation": "instances are told apart from the start",
    "MoveWorldOrigin": "the origin is the ground at the world's start",
    "AdditionalCameras": "ExternalCameras are those here",
    "PhysicsEngine": "engines are chosen by the scenario", "MaterialReflectivityFile": _UNREAL,
}  # fmt: skip
VEHICLE = {
    "DebugSymbolScale": _WINDOW, "Logs": "the bus records here", "Params": "firmwares take parameters by MAVLink",
    "EnableTorque": _UNREAL,
}  # fmt: skip
FIRMWARE = dict.fromkeys(
    ("SerialPort", "SerialBaudRate", "ControlPort", "ControlIp", "ControlPortLocal", "ControlPortRemote", "UdpIp",
    "UdpPort",
     "SitlIp", "SitlPort", "QgcHostIp", "QgcPort", "LogViewerHostIp", "LogViewerPort", "LogViewerSendPort", "SimSysID",
     "SimCompID", "OffboardCompID", "OffboardSysID", "AirSimSysID", "AirSimCompID", "ExtRendererSysID", "AiTracksSysID",
     "VehicleSysID", "VehicleCompID", "Model", "AirSimVehicleName", "Parameters", "UseSerial", "UseTcp", "TcpPort",
     "LockStep",
     "LocalHostIp", "HostIp", "Port", "BarometerDisabled"),
    "the door to the firmware does not need it (docs/autopilots.md)",
)  # fmt: skip
RADIO = dict.fromkeys(
    ("RemoteControlID", "AllowAPIWhenDisconnected"), "no remote control is read here; moveByRC tells its sticks"
)
CAMERA = {"UnrealEngine": _UNREAL, "MotionBlurAmount": "pictures on demand are of one instant"}
CAPTURE = {
    "AutoExposureSpeed": "each picture is exposed by itself, at once",
    "AutoExposureLowPercent": "exposure goes by the mean of a picture",
    "AutoExposureHighPercent": "exposure goes by the mean of a picture",
    "AutoExposureHistogramLogMin": "exposure goes by the mean of a picture",
    "AutoExposureHistogramLogMax": "exposure goes by the mean of a picture",
    "AutoExposureMethod": "exposure goes by the mean of a picture",
    "MotionBlurAmount": "pictures on demand are of one instant",
    "MotionBlurMax": "pictures on demand are of one instant",
    "ChromaticAberrationIntensity": "lenses have no colour errors here",
    "ChromaticAberrationScale": "lenses have no colour errors here",
    "ChromaticAberrationStartOffset": "lenses have no colour errors here",
    "LumenGIEnable": _UNREAL, "LumenReflectionEnable": _UNREAL, "LumenFinalQuality": _UNREAL,
    "LumenSceneDetail": _UNREAL,
    "LumenSceneLightningDetail": _UNREAL, "IgnoreMarked": "cameras see all things",
}  # fmt: skip
NOISE = dict.fromkeys(
    ("LensDistortionEnable", "LensDistortionAreaFalloff", "LensDistortionAreaRadius", "LensDistortionInvert"),
    "lenses are bent by simSetDistortionParam",
)
RECORDING = {"ExternalCameras": "external cameras are not recorded, as in AirSim"}
LAYER = dict.fromkeys(
    (
        "Type",
        "Default",
        "SetDirect",
        "TexturePath",
        "TexturePrefix",
        "MaxViewDistance",
        "ShowTransparentObjects",
        "ViewDistance",
    ),
    "a layer holds what its calls set, and is black elsewhere",
)
SENSOR = {
    "DrawDebugPoints": "the page draws what sensors measure", "DrawSensor": "the page shows where sensors sit",
    "External": "sensors sit on vehicles here", "ExternalLocal": "sensors sit on vehicles here",
    "ExternalController": "sensors sit on vehicles here",
    "PauseAfterMeasurement": "a call gets one instant whole; use simPause to hold the clock",
    "LimitPoints": "all points of a turn are told",
}  # fmt: skip
"""Of every sensor."""
