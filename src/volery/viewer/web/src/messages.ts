/** ROS 2 messages as the page reads them: written by `python -m volery.viewer.types`, not by hand.
 *
 * Whole numbers of 64 bits are given as numbers, exact to 2⁵³; in sequences they are BigInts.
 */

export interface ActionMsgsGoalInfo {
  goal_id: UniqueIdentifierMsgsUUID;
  stamp: BuiltinInterfacesTime;
}

export interface ActionMsgsGoalStatus {
  goal_info: ActionMsgsGoalInfo;
  status: number;
}

export interface ActionMsgsGoalStatusArray {
  status_list: ActionMsgsGoalStatus[];
}

export interface BuiltinInterfacesDuration {
  sec: number;
  nanosec: number;
}

export interface BuiltinInterfacesTime {
  sec: number;
  nanosec: number;
}

export interface DiagnosticMsgsDiagnosticArray {
  header: StdMsgsHeader;
  status: DiagnosticMsgsDiagnosticStatus[];
}

export interface DiagnosticMsgsDiagnosticStatus {
  level: number;
  name: string;
  message: string;
  hardware_id: string;
  values: DiagnosticMsgsKeyValue[];
}

export interface DiagnosticMsgsKeyValue {
  key: string;
  value: string;
}

export interface GeometryMsgsAccel {
  linear: GeometryMsgsVector3;
  angular: GeometryMsgsVector3;
}

export interface GeometryMsgsAccelStamped {
  header: StdMsgsHeader;
  accel: GeometryMsgsAccel;
}

export interface GeometryMsgsAccelWithCovariance {
  accel: GeometryMsgsAccel;
  covariance: Float64Array;
}

export interface GeometryMsgsAccelWithCovarianceStamped {
  header: StdMsgsHeader;
  accel: GeometryMsgsAccelWithCovariance;
}

export interface GeometryMsgsInertia {
  m: number;
  com: GeometryMsgsVector3;
  ixx: number;
  ixy: number;
  ixz: number;
  iyy: number;
  iyz: number;
  izz: number;
}

export interface GeometryMsgsInertiaStamped {
  header: StdMsgsHeader;
  inertia: GeometryMsgsInertia;
}

export interface GeometryMsgsPoint {
  x: number;
  y: number;
  z: number;
}

export interface GeometryMsgsPoint32 {
  x: number;
  y: number;
  z: number;
}

export interface GeometryMsgsPointStamped {
  header: StdMsgsHeader;
  point: GeometryMsgsPoint;
}

export interface GeometryMsgsPolygon {
  points: GeometryMsgsPoint32[];
}

export interface GeometryMsgsPolygonInstance {
  polygon: GeometryMsgsPolygon;
  id: number;
}

export interface GeometryMsgsPolygonInstanceStamped {
  header: StdMsgsHeader;
  polygon: GeometryMsgsPolygonInstance;
}

export interface GeometryMsgsPolygonStamped {
  header: StdMsgsHeader;
  polygon: GeometryMsgsPolygon;
}

export interface GeometryMsgsPose {
  position: GeometryMsgsPoint;
  orientation: GeometryMsgsQuaternion;
}

export interface GeometryMsgsPose2D {
  x: number;
  y: number;
  theta: number;
}

export interface GeometryMsgsPoseArray {
  header: StdMsgsHeader;
  poses: GeometryMsgsPose[];
}

export interface GeometryMsgsPoseStamped {
  header: StdMsgsHeader;
  pose: GeometryMsgsPose;
}

export interface GeometryMsgsPoseWithCovariance {
  pose: GeometryMsgsPose;
  covariance: Float64Array;
}

export interface GeometryMsgsPoseWithCovarianceStamped {
  header: StdMsgsHeader;
  pose: GeometryMsgsPoseWithCovariance;
}

export interface GeometryMsgsQuaternion {
  x: number;
  y: number;
  z: number;
  w: number;
}

export interface GeometryMsgsQuaternionStamped {
  header: StdMsgsHeader;
  quaternion: GeometryMsgsQuaternion;
}

export interface GeometryMsgsTransform {
  translation: GeometryMsgsVector3;
  rotation: GeometryMsgsQuaternion;
}

export interface GeometryMsgsTransformStamped {
  header: StdMsgsHeader;
  child_frame_id: string;
  transform: GeometryMsgsTransform;
}

export interface GeometryMsgsTwist {
  linear: GeometryMsgsVector3;
  angular: GeometryMsgsVector3;
}

export interface GeometryMsgsTwistStamped {
  header: StdMsgsHeader;
  twist: GeometryMsgsTwist;
}

export interface GeometryMsgsTwistWithCovariance {
  twist: GeometryMsgsTwist;
  covariance: Float64Array;
}

export interface GeometryMsgsTwistWithCovarianceStamped {
  header: StdMsgsHeader;
  twist: GeometryMsgsTwistWithCovariance;
}

export interface GeometryMsgsVector3 {
  x: number;
  y: number;
  z: number;
}

export interface GeometryMsgsVector3Stamped {
  header: StdMsgsHeader;
  vector: GeometryMsgsVector3;
}

export interface GeometryMsgsVelocityStamped {
  header: StdMsgsHeader;
  body_frame_id: string;
  reference_frame_id: string;
  velocity: GeometryMsgsTwist;
}

export interface GeometryMsgsWrench {
  force: GeometryMsgsVector3;
  torque: GeometryMsgsVector3;
}

export interface GeometryMsgsWrenchStamped {
  header: StdMsgsHeader;
  wrench: GeometryMsgsWrench;
}

export interface MrsMsgsHwApiAccelerationHdgCmd {
  header: StdMsgsHeader;
  acceleration: GeometryMsgsVector3;
  heading: number;
}

export interface MrsMsgsHwApiAccelerationHdgRateCmd {
  header: StdMsgsHeader;
  acceleration: GeometryMsgsVector3;
  heading_rate: number;
}

export interface MrsMsgsHwApiActuatorCmd {
  stamp: BuiltinInterfacesTime;
  motors: Float32Array;
}

export interface MrsMsgsHwApiAttitudeCmd {
  stamp: BuiltinInterfacesTime;
  orientation: GeometryMsgsQuaternion;
  throttle: number;
}

export interface MrsMsgsHwApiAttitudeRateCmd {
  stamp: BuiltinInterfacesTime;
  body_rate: GeometryMsgsVector3;
  throttle: number;
}

export interface MrsMsgsHwApiControlGroupCmd {
  stamp: BuiltinInterfacesTime;
  roll: number;
  pitch: number;
  yaw: number;
  throttle: number;
}

export interface MrsMsgsHwApiPositionCmd {
  header: StdMsgsHeader;
  position: GeometryMsgsPoint;
  heading: number;
}

export interface MrsMsgsHwApiVelocityHdgCmd {
  header: StdMsgsHeader;
  velocity: GeometryMsgsVector3;
  heading: number;
}

export interface MrsMsgsHwApiVelocityHdgRateCmd {
  header: StdMsgsHeader;
  velocity: GeometryMsgsVector3;
  heading_rate: number;
}

export interface MrsMsgsMpcPredictionFullState {
  header: StdMsgsHeader;
  input_id: number;
  stamps: BuiltinInterfacesTime[];
  position: GeometryMsgsPoint[];
  orientation: GeometryMsgsQuaternion[];
  attitude_rate: GeometryMsgsVector3[];
  velocity: GeometryMsgsVector3[];
  acceleration: GeometryMsgsVector3[];
  jerk: GeometryMsgsVector3[];
  heading: Float64Array;
  heading_rate: Float64Array;
  heading_acceleration: Float64Array;
  heading_jerk: Float64Array;
  use_orientation: number;
  use_attitude_rate: number;
}

export interface MrsMsgsTrackerCommand {
  header: StdMsgsHeader;
  position: GeometryMsgsPoint;
  velocity: GeometryMsgsVector3;
  acceleration: GeometryMsgsVector3;
  jerk: GeometryMsgsVector3;
  snap: GeometryMsgsVector3;
  full_state_prediction: MrsMsgsMpcPredictionFullState;
  orientation: GeometryMsgsQuaternion;
  attitude_rate: GeometryMsgsPoint;
  throttle: number;
  heading: number;
  heading_rate: number;
  heading_acceleration: number;
  heading_jerk: number;
  disable_position_gains: boolean;
  disable_antiwindups: boolean;
  use_position_horizontal: number;
  use_position_vertical: number;
  use_velocity_horizontal: number;
  use_velocity_vertical: number;
  use_acceleration: number;
  use_jerk: number;
  use_snap: number;
  use_attitude_rate: number;
  use_heading: number;
  use_heading_rate: number;
  use_heading_acceleration: number;
  use_heading_jerk: number;
  use_orientation: number;
  use_throttle: number;
  use_full_state_prediction: number;
}

export interface NavMsgsGridCells {
  header: StdMsgsHeader;
  cell_width: number;
  cell_height: number;
  cells: GeometryMsgsPoint[];
}

export interface NavMsgsMapMetaData {
  map_load_time: BuiltinInterfacesTime;
  resolution: number;
  width: number;
  height: number;
  origin: GeometryMsgsPose;
}

export interface NavMsgsOccupancyGrid {
  header: StdMsgsHeader;
  info: NavMsgsMapMetaData;
  data: Int8Array;
}

export interface NavMsgsOdometry {
  header: StdMsgsHeader;
  child_frame_id: string;
  pose: GeometryMsgsPoseWithCovariance;
  twist: GeometryMsgsTwistWithCovariance;
}

export interface NavMsgsPath {
  header: StdMsgsHeader;
  poses: GeometryMsgsPoseStamped[];
}

export interface RosgraphMsgsClock {
  clock: BuiltinInterfacesTime;
}

export interface SensorMsgsBatteryState {
  header: StdMsgsHeader;
  voltage: number;
  temperature: number;
  current: number;
  charge: number;
  capacity: number;
  design_capacity: number;
  percentage: number;
  power_supply_status: number;
  power_supply_health: number;
  power_supply_technology: number;
  present: boolean;
  cell_voltage: Float32Array;
  cell_temperature: Float32Array;
  location: string;
  serial_number: string;
}

export interface SensorMsgsCameraInfo {
  header: StdMsgsHeader;
  height: number;
  width: number;
  distortion_model: string;
  d: Float64Array;
  k: Float64Array;
  r: Float64Array;
  p: Float64Array;
  binning_x: number;
  binning_y: number;
  roi: SensorMsgsRegionOfInterest;
}

export interface SensorMsgsChannelFloat32 {
  name: string;
  values: Float32Array;
}

export interface SensorMsgsCompressedImage {
  header: StdMsgsHeader;
  format: string;
  data: Uint8Array;
}

export interface SensorMsgsFluidPressure {
  header: StdMsgsHeader;
  fluid_pressure: number;
  variance: number;
}

export interface SensorMsgsIlluminance {
  header: StdMsgsHeader;
  illuminance: number;
  variance: number;
}

export interface SensorMsgsImage {
  header: StdMsgsHeader;
  height: number;
  width: number;
  encoding: string;
  is_bigendian: number;
  step: number;
  data: Uint8Array;
}

export interface SensorMsgsImu {
  header: StdMsgsHeader;
  orientation: GeometryMsgsQuaternion;
  orientation_covariance: Float64Array;
  angular_velocity: GeometryMsgsVector3;
  angular_velocity_covariance: Float64Array;
  linear_acceleration: GeometryMsgsVector3;
  linear_acceleration_covariance: Float64Array;
}

export interface SensorMsgsJointState {
  header: StdMsgsHeader;
  name: string[];
  position: Float64Array;
  velocity: Float64Array;
  effort: Float64Array;
}

export interface SensorMsgsJoy {
  header: StdMsgsHeader;
  axes: Float32Array;
  buttons: Int32Array;
}

export interface SensorMsgsJoyFeedback {
  type: number;
  id: number;
  intensity: number;
}

export interface SensorMsgsJoyFeedbackArray {
  array: SensorMsgsJoyFeedback[];
}

export interface SensorMsgsLaserEcho {
  echoes: Float32Array;
}

export interface SensorMsgsLaserScan {
  header: StdMsgsHeader;
  angle_min: number;
  angle_max: number;
  angle_increment: number;
  time_increment: number;
  scan_time: number;
  range_min: number;
  range_max: number;
  ranges: Float32Array;
  intensities: Float32Array;
}

export interface SensorMsgsMagneticField {
  header: StdMsgsHeader;
  magnetic_field: GeometryMsgsVector3;
  magnetic_field_covariance: Float64Array;
}

export interface SensorMsgsMultiDOFJointState {
  header: StdMsgsHeader;
  joint_names: string[];
  transforms: GeometryMsgsTransform[];
  twist: GeometryMsgsTwist[];
  wrench: GeometryMsgsWrench[];
}

export interface SensorMsgsMultiEchoLaserScan {
  header: StdMsgsHeader;
  angle_min: number;
  angle_max: number;
  angle_increment: number;
  time_increment: number;
  scan_time: number;
  range_min: number;
  range_max: number;
  ranges: SensorMsgsLaserEcho[];
  intensities: SensorMsgsLaserEcho[];
}

export interface SensorMsgsNavSatFix {
  header: StdMsgsHeader;
  status: SensorMsgsNavSatStatus;
  latitude: number;
  longitude: number;
  altitude: number;
  position_covariance: Float64Array;
  position_covariance_type: number;
}

export interface SensorMsgsNavSatStatus {
  status: number;
  service: number;
}

export interface SensorMsgsPointCloud {
  header: StdMsgsHeader;
  points: GeometryMsgsPoint32[];
  channels: SensorMsgsChannelFloat32[];
}

export interface SensorMsgsPointCloud2 {
  header: StdMsgsHeader;
  height: number;
  width: number;
  fields: SensorMsgsPointField[];
  is_bigendian: boolean;
  point_step: number;
  row_step: number;
  data: Uint8Array;
  is_dense: boolean;
}

export interface SensorMsgsPointField {
  name: string;
  offset: number;
  datatype: number;
  count: number;
}

export interface SensorMsgsRange {
  header: StdMsgsHeader;
  radiation_type: number;
  field_of_view: number;
  min_range: number;
  max_range: number;
  range: number;
  variance: number;
}

export interface SensorMsgsRegionOfInterest {
  x_offset: number;
  y_offset: number;
  height: number;
  width: number;
  do_rectify: boolean;
}

export interface SensorMsgsRelativeHumidity {
  header: StdMsgsHeader;
  relative_humidity: number;
  variance: number;
}

export interface SensorMsgsTemperature {
  header: StdMsgsHeader;
  temperature: number;
  variance: number;
}

export interface SensorMsgsTimeReference {
  header: StdMsgsHeader;
  time_ref: BuiltinInterfacesTime;
  source: string;
}

export interface ServiceMsgsServiceEventInfo {
  event_type: number;
  stamp: BuiltinInterfacesTime;
  client_gid: Uint8Array;
  sequence_number: number;
}

export interface SimulationInterfacesBounds {
  type: number;
  points: GeometryMsgsVector3[];
}

export interface SimulationInterfacesEntityCategory {
  category: number;
}

export interface SimulationInterfacesEntityFilters {
  filter: string;
  categories: SimulationInterfacesEntityCategory[];
  tags: SimulationInterfacesTagsFilter;
  bounds: SimulationInterfacesBounds;
}

export interface SimulationInterfacesEntityState {
  header: StdMsgsHeader;
  pose: GeometryMsgsPose;
  twist: GeometryMsgsTwist;
  acceleration: GeometryMsgsAccel;
}

export interface SimulationInterfacesResult {
  result: number;
  error_message: string;
}

export interface SimulationInterfacesSimulationState {
  state: number;
}

export interface SimulationInterfacesSimulatorFeatures {
  features: Uint16Array;
  spawn_formats: string[];
  custom_info: string;
}

export interface SimulationInterfacesSpawnable {
  uri: string;
  description: string;
  spawn_bounds: SimulationInterfacesBounds;
}

export interface SimulationInterfacesTagsFilter {
  tags: string[];
  filter_mode: number;
}

export interface StdMsgsBool {
  data: boolean;
}

export interface StdMsgsByte {
  data: number;
}

export interface StdMsgsByteMultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Uint8Array;
}

export interface StdMsgsChar {
  data: number;
}

export interface StdMsgsColorRGBA {
  r: number;
  g: number;
  b: number;
  a: number;
}

export interface StdMsgsEmpty {
  structure_needs_at_least_one_member: number;
}

export interface StdMsgsFloat32 {
  data: number;
}

export interface StdMsgsFloat32MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Float32Array;
}

export interface StdMsgsFloat64 {
  data: number;
}

export interface StdMsgsFloat64MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Float64Array;
}

export interface StdMsgsHeader {
  stamp: BuiltinInterfacesTime;
  frame_id: string;
}

export interface StdMsgsInt16 {
  data: number;
}

export interface StdMsgsInt16MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Int16Array;
}

export interface StdMsgsInt32 {
  data: number;
}

export interface StdMsgsInt32MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Int32Array;
}

export interface StdMsgsInt64 {
  data: number;
}

export interface StdMsgsInt64MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: BigInt64Array;
}

export interface StdMsgsInt8 {
  data: number;
}

export interface StdMsgsInt8MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Int8Array;
}

export interface StdMsgsMultiArrayDimension {
  label: string;
  size: number;
  stride: number;
}

export interface StdMsgsMultiArrayLayout {
  dim: StdMsgsMultiArrayDimension[];
  data_offset: number;
}

export interface StdMsgsString {
  data: string;
}

export interface StdMsgsUInt16 {
  data: number;
}

export interface StdMsgsUInt16MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Uint16Array;
}

export interface StdMsgsUInt32 {
  data: number;
}

export interface StdMsgsUInt32MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Uint32Array;
}

export interface StdMsgsUInt64 {
  data: number;
}

export interface StdMsgsUInt64MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: BigUint64Array;
}

export interface StdMsgsUInt8 {
  data: number;
}

export interface StdMsgsUInt8MultiArray {
  layout: StdMsgsMultiArrayLayout;
  data: Uint8Array;
}

export interface Tf2MsgsTF2Error {
  error: number;
  error_string: string;
}

export interface Tf2MsgsTFMessage {
  transforms: GeometryMsgsTransformStamped[];
}

export interface UniqueIdentifierMsgsUUID {
  uuid: Uint8Array;
}

export interface VisualizationMsgsImageMarker {
  header: StdMsgsHeader;
  ns: string;
  id: number;
  type: number;
  action: number;
  position: GeometryMsgsPoint;
  scale: number;
  outline_color: StdMsgsColorRGBA;
  filled: number;
  fill_color: StdMsgsColorRGBA;
  lifetime: BuiltinInterfacesDuration;
  points: GeometryMsgsPoint[];
  outline_colors: StdMsgsColorRGBA[];
}

export interface VisualizationMsgsInteractiveMarker {
  header: StdMsgsHeader;
  pose: GeometryMsgsPose;
  name: string;
  description: string;
  scale: number;
  menu_entries: VisualizationMsgsMenuEntry[];
  controls: VisualizationMsgsInteractiveMarkerControl[];
}

export interface VisualizationMsgsInteractiveMarkerControl {
  name: string;
  orientation: GeometryMsgsQuaternion;
  orientation_mode: number;
  interaction_mode: number;
  always_visible: boolean;
  markers: VisualizationMsgsMarker[];
  independent_marker_orientation: boolean;
  description: string;
}

export interface VisualizationMsgsInteractiveMarkerFeedback {
  header: StdMsgsHeader;
  client_id: string;
  marker_name: string;
  control_name: string;
  event_type: number;
  pose: GeometryMsgsPose;
  menu_entry_id: number;
  mouse_point: GeometryMsgsPoint;
  mouse_point_valid: boolean;
}

export interface VisualizationMsgsInteractiveMarkerInit {
  server_id: string;
  seq_num: number;
  markers: VisualizationMsgsInteractiveMarker[];
}

export interface VisualizationMsgsInteractiveMarkerPose {
  header: StdMsgsHeader;
  pose: GeometryMsgsPose;
  name: string;
}

export interface VisualizationMsgsInteractiveMarkerUpdate {
  server_id: string;
  seq_num: number;
  type: number;
  markers: VisualizationMsgsInteractiveMarker[];
  poses: VisualizationMsgsInteractiveMarkerPose[];
  erases: string[];
}

export interface VisualizationMsgsMarker {
  header: StdMsgsHeader;
  ns: string;
  id: number;
  type: number;
  action: number;
  pose: GeometryMsgsPose;
  scale: GeometryMsgsVector3;
  color: StdMsgsColorRGBA;
  lifetime: BuiltinInterfacesDuration;
  frame_locked: boolean;
  points: GeometryMsgsPoint[];
  colors: StdMsgsColorRGBA[];
  texture_resource: string;
  texture: SensorMsgsCompressedImage;
  uv_coordinates: VisualizationMsgsUVCoordinate[];
  text: string;
  mesh_resource: string;
  mesh_file: VisualizationMsgsMeshFile;
  mesh_use_embedded_materials: boolean;
}

export interface VisualizationMsgsMarkerArray {
  markers: VisualizationMsgsMarker[];
}

export interface VisualizationMsgsMenuEntry {
  id: number;
  parent_id: number;
  title: string;
  command: string;
  command_type: number;
}

export interface VisualizationMsgsMeshFile {
  filename: string;
  data: Uint8Array;
}

export interface VisualizationMsgsUVCoordinate {
  u: number;
  v: number;
}

/** Messages by the names of their types. */
export interface Messages {
  "action_msgs/msg/GoalInfo": ActionMsgsGoalInfo;
  "action_msgs/msg/GoalStatus": ActionMsgsGoalStatus;
  "action_msgs/msg/GoalStatusArray": ActionMsgsGoalStatusArray;
  "builtin_interfaces/msg/Duration": BuiltinInterfacesDuration;
  "builtin_interfaces/msg/Time": BuiltinInterfacesTime;
  "diagnostic_msgs/msg/DiagnosticArray": DiagnosticMsgsDiagnosticArray;
  "diagnostic_msgs/msg/DiagnosticStatus": DiagnosticMsgsDiagnosticStatus;
  "diagnostic_msgs/msg/KeyValue": DiagnosticMsgsKeyValue;
  "geometry_msgs/msg/Accel": GeometryMsgsAccel;
  "geometry_msgs/msg/AccelStamped": GeometryMsgsAccelStamped;
  "geometry_msgs/msg/AccelWithCovariance": GeometryMsgsAccelWithCovariance;
  "geometry_msgs/msg/AccelWithCovarianceStamped": GeometryMsgsAccelWithCovarianceStamped;
  "geometry_msgs/msg/Inertia": GeometryMsgsInertia;
  "geometry_msgs/msg/InertiaStamped": GeometryMsgsInertiaStamped;
  "geometry_msgs/msg/Point": GeometryMsgsPoint;
  "geometry_msgs/msg/Point32": GeometryMsgsPoint32;
  "geometry_msgs/msg/PointStamped": GeometryMsgsPointStamped;
  "geometry_msgs/msg/Polygon": GeometryMsgsPolygon;
  "geometry_msgs/msg/PolygonInstance": GeometryMsgsPolygonInstance;
  "geometry_msgs/msg/PolygonInstanceStamped": GeometryMsgsPolygonInstanceStamped;
  "geometry_msgs/msg/PolygonStamped": GeometryMsgsPolygonStamped;
  "geometry_msgs/msg/Pose": GeometryMsgsPose;
  "geometry_msgs/msg/Pose2D": GeometryMsgsPose2D;
  "geometry_msgs/msg/PoseArray": GeometryMsgsPoseArray;
  "geometry_msgs/msg/PoseStamped": GeometryMsgsPoseStamped;
  "geometry_msgs/msg/PoseWithCovariance": GeometryMsgsPoseWithCovariance;
  "geometry_msgs/msg/PoseWithCovarianceStamped": GeometryMsgsPoseWithCovarianceStamped;
  "geometry_msgs/msg/Quaternion": GeometryMsgsQuaternion;
  "geometry_msgs/msg/QuaternionStamped": GeometryMsgsQuaternionStamped;
  "geometry_msgs/msg/Transform": GeometryMsgsTransform;
  "geometry_msgs/msg/TransformStamped": GeometryMsgsTransformStamped;
  "geometry_msgs/msg/Twist": GeometryMsgsTwist;
  "geometry_msgs/msg/TwistStamped": GeometryMsgsTwistStamped;
  "geometry_msgs/msg/TwistWithCovariance": GeometryMsgsTwistWithCovariance;
  "geometry_msgs/msg/TwistWithCovarianceStamped": GeometryMsgsTwistWithCovarianceStamped;
  "geometry_msgs/msg/Vector3": GeometryMsgsVector3;
  "geometry_msgs/msg/Vector3Stamped": GeometryMsgsVector3Stamped;
  "geometry_msgs/msg/VelocityStamped": GeometryMsgsVelocityStamped;
  "geometry_msgs/msg/Wrench": GeometryMsgsWrench;
  "geometry_msgs/msg/WrenchStamped": GeometryMsgsWrenchStamped;
  "mrs_msgs/msg/HwApiAccelerationHdgCmd": MrsMsgsHwApiAccelerationHdgCmd;
  "mrs_msgs/msg/HwApiAccelerationHdgRateCmd": MrsMsgsHwApiAccelerationHdgRateCmd;
  "mrs_msgs/msg/HwApiActuatorCmd": MrsMsgsHwApiActuatorCmd;
  "mrs_msgs/msg/HwApiAttitudeCmd": MrsMsgsHwApiAttitudeCmd;
  "mrs_msgs/msg/HwApiAttitudeRateCmd": MrsMsgsHwApiAttitudeRateCmd;
  "mrs_msgs/msg/HwApiControlGroupCmd": MrsMsgsHwApiControlGroupCmd;
  "mrs_msgs/msg/HwApiPositionCmd": MrsMsgsHwApiPositionCmd;
  "mrs_msgs/msg/HwApiVelocityHdgCmd": MrsMsgsHwApiVelocityHdgCmd;
  "mrs_msgs/msg/HwApiVelocityHdgRateCmd": MrsMsgsHwApiVelocityHdgRateCmd;
  "mrs_msgs/msg/MpcPredictionFullState": MrsMsgsMpcPredictionFullState;
  "mrs_msgs/msg/TrackerCommand": MrsMsgsTrackerCommand;
  "nav_msgs/msg/GridCells": NavMsgsGridCells;
  "nav_msgs/msg/MapMetaData": NavMsgsMapMetaData;
  "nav_msgs/msg/OccupancyGrid": NavMsgsOccupancyGrid;
  "nav_msgs/msg/Odometry": NavMsgsOdometry;
  "nav_msgs/msg/Path": NavMsgsPath;
  "rosgraph_msgs/msg/Clock": RosgraphMsgsClock;
  "sensor_msgs/msg/BatteryState": SensorMsgsBatteryState;
  "sensor_msgs/msg/CameraInfo": SensorMsgsCameraInfo;
  "sensor_msgs/msg/ChannelFloat32": SensorMsgsChannelFloat32;
  "sensor_msgs/msg/CompressedImage": SensorMsgsCompressedImage;
  "sensor_msgs/msg/FluidPressure": SensorMsgsFluidPressure;
  "sensor_msgs/msg/Illuminance": SensorMsgsIlluminance;
  "sensor_msgs/msg/Image": SensorMsgsImage;
  "sensor_msgs/msg/Imu": SensorMsgsImu;
  "sensor_msgs/msg/JointState": SensorMsgsJointState;
  "sensor_msgs/msg/Joy": SensorMsgsJoy;
  "sensor_msgs/msg/JoyFeedback": SensorMsgsJoyFeedback;
  "sensor_msgs/msg/JoyFeedbackArray": SensorMsgsJoyFeedbackArray;
  "sensor_msgs/msg/LaserEcho": SensorMsgsLaserEcho;
  "sensor_msgs/msg/LaserScan": SensorMsgsLaserScan;
  "sensor_msgs/msg/MagneticField": SensorMsgsMagneticField;
  "sensor_msgs/msg/MultiDOFJointState": SensorMsgsMultiDOFJointState;
  "sensor_msgs/msg/MultiEchoLaserScan": SensorMsgsMultiEchoLaserScan;
  "sensor_msgs/msg/NavSatFix": SensorMsgsNavSatFix;
  "sensor_msgs/msg/NavSatStatus": SensorMsgsNavSatStatus;
  "sensor_msgs/msg/PointCloud": SensorMsgsPointCloud;
  "sensor_msgs/msg/PointCloud2": SensorMsgsPointCloud2;
  "sensor_msgs/msg/PointField": SensorMsgsPointField;
  "sensor_msgs/msg/Range": SensorMsgsRange;
  "sensor_msgs/msg/RegionOfInterest": SensorMsgsRegionOfInterest;
  "sensor_msgs/msg/RelativeHumidity": SensorMsgsRelativeHumidity;
  "sensor_msgs/msg/Temperature": SensorMsgsTemperature;
  "sensor_msgs/msg/TimeReference": SensorMsgsTimeReference;
  "service_msgs/msg/ServiceEventInfo": ServiceMsgsServiceEventInfo;
  "simulation_interfaces/msg/Bounds": SimulationInterfacesBounds;
  "simulation_interfaces/msg/EntityCategory": SimulationInterfacesEntityCategory;
  "simulation_interfaces/msg/EntityFilters": SimulationInterfacesEntityFilters;
  "simulation_interfaces/msg/EntityState": SimulationInterfacesEntityState;
  "simulation_interfaces/msg/Result": SimulationInterfacesResult;
  "simulation_interfaces/msg/SimulationState": SimulationInterfacesSimulationState;
  "simulation_interfaces/msg/SimulatorFeatures": SimulationInterfacesSimulatorFeatures;
  "simulation_interfaces/msg/Spawnable": SimulationInterfacesSpawnable;
  "simulation_interfaces/msg/TagsFilter": SimulationInterfacesTagsFilter;
  "std_msgs/msg/Bool": StdMsgsBool;
  "std_msgs/msg/Byte": StdMsgsByte;
  "std_msgs/msg/ByteMultiArray": StdMsgsByteMultiArray;
  "std_msgs/msg/Char": StdMsgsChar;
  "std_msgs/msg/ColorRGBA": StdMsgsColorRGBA;
  "std_msgs/msg/Empty": StdMsgsEmpty;
  "std_msgs/msg/Float32": StdMsgsFloat32;
  "std_msgs/msg/Float32MultiArray": StdMsgsFloat32MultiArray;
  "std_msgs/msg/Float64": StdMsgsFloat64;
  "std_msgs/msg/Float64MultiArray": StdMsgsFloat64MultiArray;
  "std_msgs/msg/Header": StdMsgsHeader;
  "std_msgs/msg/Int16": StdMsgsInt16;
  "std_msgs/msg/Int16MultiArray": StdMsgsInt16MultiArray;
  "std_msgs/msg/Int32": StdMsgsInt32;
  "std_msgs/msg/Int32MultiArray": StdMsgsInt32MultiArray;
  "std_msgs/msg/Int64": StdMsgsInt64;
  "std_msgs/msg/Int64MultiArray": StdMsgsInt64MultiArray;
  "std_msgs/msg/Int8": StdMsgsInt8;
  "std_msgs/msg/Int8MultiArray": StdMsgsInt8MultiArray;
  "std_msgs/msg/MultiArrayDimension": StdMsgsMultiArrayDimension;
  "std_msgs/msg/MultiArrayLayout": StdMsgsMultiArrayLayout;
  "std_msgs/msg/String": StdMsgsString;
  "std_msgs/msg/UInt16": StdMsgsUInt16;
  "std_msgs/msg/UInt16MultiArray": StdMsgsUInt16MultiArray;
  "std_msgs/msg/UInt32": StdMsgsUInt32;
  "std_msgs/msg/UInt32MultiArray": StdMsgsUInt32MultiArray;
  "std_msgs/msg/UInt64": StdMsgsUInt64;
  "std_msgs/msg/UInt64MultiArray": StdMsgsUInt64MultiArray;
  "std_msgs/msg/UInt8": StdMsgsUInt8;
  "std_msgs/msg/UInt8MultiArray": StdMsgsUInt8MultiArray;
  "tf2_msgs/msg/TF2Error": Tf2MsgsTF2Error;
  "tf2_msgs/msg/TFMessage": Tf2MsgsTFMessage;
  "unique_identifier_msgs/msg/UUID": UniqueIdentifierMsgsUUID;
  "visualization_msgs/msg/ImageMarker": VisualizationMsgsImageMarker;
  "visualization_msgs/msg/InteractiveMarker": VisualizationMsgsInteractiveMarker;
  "visualization_msgs/msg/InteractiveMarkerControl": VisualizationMsgsInteractiveMarkerControl;
  "visualization_msgs/msg/InteractiveMarkerFeedback": VisualizationMsgsInteractiveMarkerFeedback;
  "visualization_msgs/msg/InteractiveMarkerInit": VisualizationMsgsInteractiveMarkerInit;
  "visualization_msgs/msg/InteractiveMarkerPose": VisualizationMsgsInteractiveMarkerPose;
  "visualization_msgs/msg/InteractiveMarkerUpdate": VisualizationMsgsInteractiveMarkerUpdate;
  "visualization_msgs/msg/Marker": VisualizationMsgsMarker;
  "visualization_msgs/msg/MarkerArray": VisualizationMsgsMarkerArray;
  "visualization_msgs/msg/MenuEntry": VisualizationMsgsMenuEntry;
  "visualization_msgs/msg/MeshFile": VisualizationMsgsMeshFile;
  "visualization_msgs/msg/UVCoordinate": VisualizationMsgsUVCoordinate;
}

/** Fields in their order on the wire: name, type, and 0 for one, n for n of them, -1 for any number. */
export const SCHEMA: Record<string, [name: string, type: string, count: number][]> = {
  "action_msgs/msg/GoalInfo": [["goal_id","unique_identifier_msgs/msg/UUID",0],["stamp","builtin_interfaces/msg/Time",0]],
  "action_msgs/msg/GoalStatus": [["goal_info","action_msgs/msg/GoalInfo",0],["status","int8",0]],
  "action_msgs/msg/GoalStatusArray": [["status_list","action_msgs/msg/GoalStatus",-1]],
  "builtin_interfaces/msg/Duration": [["sec","int32",0],["nanosec","uint32",0]],
  "builtin_interfaces/msg/Time": [["sec","int32",0],["nanosec","uint32",0]],
  "diagnostic_msgs/msg/DiagnosticArray": [["header","std_msgs/msg/Header",0],["status","diagnostic_msgs/msg/DiagnosticStatus",-1]],
  "diagnostic_msgs/msg/DiagnosticStatus": [["level","byte",0],["name","string",0],["message","string",0],["hardware_id","string",0],["values","diagnostic_msgs/msg/KeyValue",-1]],
  "diagnostic_msgs/msg/KeyValue": [["key","string",0],["value","string",0]],
  "geometry_msgs/msg/Accel": [["linear","geometry_msgs/msg/Vector3",0],["angular","geometry_msgs/msg/Vector3",0]],
  "geometry_msgs/msg/AccelStamped": [["header","std_msgs/msg/Header",0],["accel","geometry_msgs/msg/Accel",0]],
  "geometry_msgs/msg/AccelWithCovariance": [["accel","geometry_msgs/msg/Accel",0],["covariance","float64",36]],
  "geometry_msgs/msg/AccelWithCovarianceStamped": [["header","std_msgs/msg/Header",0],["accel","geometry_msgs/msg/AccelWithCovariance",0]],
  "geometry_msgs/msg/Inertia": [["m","float64",0],["com","geometry_msgs/msg/Vector3",0],["ixx","float64",0],["ixy","float64",0],["ixz","float64",0],["iyy","float64",0],["iyz","float64",0],["izz","float64",0]],
  "geometry_msgs/msg/InertiaStamped": [["header","std_msgs/msg/Header",0],["inertia","geometry_msgs/msg/Inertia",0]],
  "geometry_msgs/msg/Point": [["x","float64",0],["y","float64",0],["z","float64",0]],
  "geometry_msgs/msg/Point32": [["x","float32",0],["y","float32",0],["z","float32",0]],
  "geometry_msgs/msg/PointStamped": [["header","std_msgs/msg/Header",0],["point","geometry_msgs/msg/Point",0]],
  "geometry_msgs/msg/Polygon": [["points","geometry_msgs/msg/Point32",-1]],
  "geometry_msgs/msg/PolygonInstance": [["polygon","geometry_msgs/msg/Polygon",0],["id","int64",0]],
  "geometry_msgs/msg/PolygonInstanceStamped": [["header","std_msgs/msg/Header",0],["polygon","geometry_msgs/msg/PolygonInstance",0]],
  "geometry_msgs/msg/PolygonStamped": [["header","std_msgs/msg/Header",0],["polygon","geometry_msgs/msg/Polygon",0]],
  "geometry_msgs/msg/Pose": [["position","geometry_msgs/msg/Point",0],["orientation","geometry_msgs/msg/Quaternion",0]],
  "geometry_msgs/msg/Pose2D": [["x","float64",0],["y","float64",0],["theta","float64",0]],
  "geometry_msgs/msg/PoseArray": [["header","std_msgs/msg/Header",0],["poses","geometry_msgs/msg/Pose",-1]],
  "geometry_msgs/msg/PoseStamped": [["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0]],
  "geometry_msgs/msg/PoseWithCovariance": [["pose","geometry_msgs/msg/Pose",0],["covariance","float64",36]],
  "geometry_msgs/msg/PoseWithCovarianceStamped": [["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/PoseWithCovariance",0]],
  "geometry_msgs/msg/Quaternion": [["x","float64",0],["y","float64",0],["z","float64",0],["w","float64",0]],
  "geometry_msgs/msg/QuaternionStamped": [["header","std_msgs/msg/Header",0],["quaternion","geometry_msgs/msg/Quaternion",0]],
  "geometry_msgs/msg/Transform": [["translation","geometry_msgs/msg/Vector3",0],["rotation","geometry_msgs/msg/Quaternion",0]],
  "geometry_msgs/msg/TransformStamped": [["header","std_msgs/msg/Header",0],["child_frame_id","string",0],["transform","geometry_msgs/msg/Transform",0]],
  "geometry_msgs/msg/Twist": [["linear","geometry_msgs/msg/Vector3",0],["angular","geometry_msgs/msg/Vector3",0]],
  "geometry_msgs/msg/TwistStamped": [["header","std_msgs/msg/Header",0],["twist","geometry_msgs/msg/Twist",0]],
  "geometry_msgs/msg/TwistWithCovariance": [["twist","geometry_msgs/msg/Twist",0],["covariance","float64",36]],
  "geometry_msgs/msg/TwistWithCovarianceStamped": [["header","std_msgs/msg/Header",0],["twist","geometry_msgs/msg/TwistWithCovariance",0]],
  "geometry_msgs/msg/Vector3": [["x","float64",0],["y","float64",0],["z","float64",0]],
  "geometry_msgs/msg/Vector3Stamped": [["header","std_msgs/msg/Header",0],["vector","geometry_msgs/msg/Vector3",0]],
  "geometry_msgs/msg/VelocityStamped": [["header","std_msgs/msg/Header",0],["body_frame_id","string",0],["reference_frame_id","string",0],["velocity","geometry_msgs/msg/Twist",0]],
  "geometry_msgs/msg/Wrench": [["force","geometry_msgs/msg/Vector3",0],["torque","geometry_msgs/msg/Vector3",0]],
  "geometry_msgs/msg/WrenchStamped": [["header","std_msgs/msg/Header",0],["wrench","geometry_msgs/msg/Wrench",0]],
  "mrs_msgs/msg/HwApiAccelerationHdgCmd": [["header","std_msgs/msg/Header",0],["acceleration","geometry_msgs/msg/Vector3",0],["heading","float64",0]],
  "mrs_msgs/msg/HwApiAccelerationHdgRateCmd": [["header","std_msgs/msg/Header",0],["acceleration","geometry_msgs/msg/Vector3",0],["heading_rate","float64",0]],
  "mrs_msgs/msg/HwApiActuatorCmd": [["stamp","builtin_interfaces/msg/Time",0],["motors","float32",-1]],
  "mrs_msgs/msg/HwApiAttitudeCmd": [["stamp","builtin_interfaces/msg/Time",0],["orientation","geometry_msgs/msg/Quaternion",0],["throttle","float64",0]],
  "mrs_msgs/msg/HwApiAttitudeRateCmd": [["stamp","builtin_interfaces/msg/Time",0],["body_rate","geometry_msgs/msg/Vector3",0],["throttle","float64",0]],
  "mrs_msgs/msg/HwApiControlGroupCmd": [["stamp","builtin_interfaces/msg/Time",0],["roll","float32",0],["pitch","float32",0],["yaw","float32",0],["throttle","float32",0]],
  "mrs_msgs/msg/HwApiPositionCmd": [["header","std_msgs/msg/Header",0],["position","geometry_msgs/msg/Point",0],["heading","float64",0]],
  "mrs_msgs/msg/HwApiVelocityHdgCmd": [["header","std_msgs/msg/Header",0],["velocity","geometry_msgs/msg/Vector3",0],["heading","float64",0]],
  "mrs_msgs/msg/HwApiVelocityHdgRateCmd": [["header","std_msgs/msg/Header",0],["velocity","geometry_msgs/msg/Vector3",0],["heading_rate","float64",0]],
  "mrs_msgs/msg/MpcPredictionFullState": [["header","std_msgs/msg/Header",0],["input_id","int64",0],["stamps","builtin_interfaces/msg/Time",-1],["position","geometry_msgs/msg/Point",-1],["orientation","geometry_msgs/msg/Quaternion",-1],["attitude_rate","geometry_msgs/msg/Vector3",-1],["velocity","geometry_msgs/msg/Vector3",-1],["acceleration","geometry_msgs/msg/Vector3",-1],["jerk","geometry_msgs/msg/Vector3",-1],["heading","float64",-1],["heading_rate","float64",-1],["heading_acceleration","float64",-1],["heading_jerk","float64",-1],["use_orientation","uint8",0],["use_attitude_rate","uint8",0]],
  "mrs_msgs/msg/TrackerCommand": [["header","std_msgs/msg/Header",0],["position","geometry_msgs/msg/Point",0],["velocity","geometry_msgs/msg/Vector3",0],["acceleration","geometry_msgs/msg/Vector3",0],["jerk","geometry_msgs/msg/Vector3",0],["snap","geometry_msgs/msg/Vector3",0],["full_state_prediction","mrs_msgs/msg/MpcPredictionFullState",0],["orientation","geometry_msgs/msg/Quaternion",0],["attitude_rate","geometry_msgs/msg/Point",0],["throttle","float64",0],["heading","float64",0],["heading_rate","float64",0],["heading_acceleration","float64",0],["heading_jerk","float64",0],["disable_position_gains","bool",0],["disable_antiwindups","bool",0],["use_position_horizontal","uint8",0],["use_position_vertical","uint8",0],["use_velocity_horizontal","uint8",0],["use_velocity_vertical","uint8",0],["use_acceleration","uint8",0],["use_jerk","uint8",0],["use_snap","uint8",0],["use_attitude_rate","uint8",0],["use_heading","uint8",0],["use_heading_rate","uint8",0],["use_heading_acceleration","uint8",0],["use_heading_jerk","uint8",0],["use_orientation","uint8",0],["use_throttle","uint8",0],["use_full_state_prediction","uint8",0]],
  "nav_msgs/msg/GridCells": [["header","std_msgs/msg/Header",0],["cell_width","float32",0],["cell_height","float32",0],["cells","geometry_msgs/msg/Point",-1]],
  "nav_msgs/msg/MapMetaData": [["map_load_time","builtin_interfaces/msg/Time",0],["resolution","float32",0],["width","uint32",0],["height","uint32",0],["origin","geometry_msgs/msg/Pose",0]],
  "nav_msgs/msg/OccupancyGrid": [["header","std_msgs/msg/Header",0],["info","nav_msgs/msg/MapMetaData",0],["data","int8",-1]],
  "nav_msgs/msg/Odometry": [["header","std_msgs/msg/Header",0],["child_frame_id","string",0],["pose","geometry_msgs/msg/PoseWithCovariance",0],["twist","geometry_msgs/msg/TwistWithCovariance",0]],
  "nav_msgs/msg/Path": [["header","std_msgs/msg/Header",0],["poses","geometry_msgs/msg/PoseStamped",-1]],
  "rosgraph_msgs/msg/Clock": [["clock","builtin_interfaces/msg/Time",0]],
  "sensor_msgs/msg/BatteryState": [["header","std_msgs/msg/Header",0],["voltage","float32",0],["temperature","float32",0],["current","float32",0],["charge","float32",0],["capacity","float32",0],["design_capacity","float32",0],["percentage","float32",0],["power_supply_status","uint8",0],["power_supply_health","uint8",0],["power_supply_technology","uint8",0],["present","bool",0],["cell_voltage","float32",-1],["cell_temperature","float32",-1],["location","string",0],["serial_number","string",0]],
  "sensor_msgs/msg/CameraInfo": [["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["distortion_model","string",0],["d","float64",-1],["k","float64",9],["r","float64",9],["p","float64",12],["binning_x","uint32",0],["binning_y","uint32",0],["roi","sensor_msgs/msg/RegionOfInterest",0]],
  "sensor_msgs/msg/ChannelFloat32": [["name","string",0],["values","float32",-1]],
  "sensor_msgs/msg/CompressedImage": [["header","std_msgs/msg/Header",0],["format","string",0],["data","uint8",-1]],
  "sensor_msgs/msg/FluidPressure": [["header","std_msgs/msg/Header",0],["fluid_pressure","float64",0],["variance","float64",0]],
  "sensor_msgs/msg/Illuminance": [["header","std_msgs/msg/Header",0],["illuminance","float64",0],["variance","float64",0]],
  "sensor_msgs/msg/Image": [["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["encoding","string",0],["is_bigendian","uint8",0],["step","uint32",0],["data","uint8",-1]],
  "sensor_msgs/msg/Imu": [["header","std_msgs/msg/Header",0],["orientation","geometry_msgs/msg/Quaternion",0],["orientation_covariance","float64",9],["angular_velocity","geometry_msgs/msg/Vector3",0],["angular_velocity_covariance","float64",9],["linear_acceleration","geometry_msgs/msg/Vector3",0],["linear_acceleration_covariance","float64",9]],
  "sensor_msgs/msg/JointState": [["header","std_msgs/msg/Header",0],["name","string",-1],["position","float64",-1],["velocity","float64",-1],["effort","float64",-1]],
  "sensor_msgs/msg/Joy": [["header","std_msgs/msg/Header",0],["axes","float32",-1],["buttons","int32",-1]],
  "sensor_msgs/msg/JoyFeedback": [["type","uint8",0],["id","uint8",0],["intensity","float32",0]],
  "sensor_msgs/msg/JoyFeedbackArray": [["array","sensor_msgs/msg/JoyFeedback",-1]],
  "sensor_msgs/msg/LaserEcho": [["echoes","float32",-1]],
  "sensor_msgs/msg/LaserScan": [["header","std_msgs/msg/Header",0],["angle_min","float32",0],["angle_max","float32",0],["angle_increment","float32",0],["time_increment","float32",0],["scan_time","float32",0],["range_min","float32",0],["range_max","float32",0],["ranges","float32",-1],["intensities","float32",-1]],
  "sensor_msgs/msg/MagneticField": [["header","std_msgs/msg/Header",0],["magnetic_field","geometry_msgs/msg/Vector3",0],["magnetic_field_covariance","float64",9]],
  "sensor_msgs/msg/MultiDOFJointState": [["header","std_msgs/msg/Header",0],["joint_names","string",-1],["transforms","geometry_msgs/msg/Transform",-1],["twist","geometry_msgs/msg/Twist",-1],["wrench","geometry_msgs/msg/Wrench",-1]],
  "sensor_msgs/msg/MultiEchoLaserScan": [["header","std_msgs/msg/Header",0],["angle_min","float32",0],["angle_max","float32",0],["angle_increment","float32",0],["time_increment","float32",0],["scan_time","float32",0],["range_min","float32",0],["range_max","float32",0],["ranges","sensor_msgs/msg/LaserEcho",-1],["intensities","sensor_msgs/msg/LaserEcho",-1]],
  "sensor_msgs/msg/NavSatFix": [["header","std_msgs/msg/Header",0],["status","sensor_msgs/msg/NavSatStatus",0],["latitude","float64",0],["longitude","float64",0],["altitude","float64",0],["position_covariance","float64",9],["position_covariance_type","uint8",0]],
  "sensor_msgs/msg/NavSatStatus": [["status","int8",0],["service","uint16",0]],
  "sensor_msgs/msg/PointCloud": [["header","std_msgs/msg/Header",0],["points","geometry_msgs/msg/Point32",-1],["channels","sensor_msgs/msg/ChannelFloat32",-1]],
  "sensor_msgs/msg/PointCloud2": [["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["fields","sensor_msgs/msg/PointField",-1],["is_bigendian","bool",0],["point_step","uint32",0],["row_step","uint32",0],["data","uint8",-1],["is_dense","bool",0]],
  "sensor_msgs/msg/PointField": [["name","string",0],["offset","uint32",0],["datatype","uint8",0],["count","uint32",0]],
  "sensor_msgs/msg/Range": [["header","std_msgs/msg/Header",0],["radiation_type","uint8",0],["field_of_view","float32",0],["min_range","float32",0],["max_range","float32",0],["range","float32",0],["variance","float32",0]],
  "sensor_msgs/msg/RegionOfInterest": [["x_offset","uint32",0],["y_offset","uint32",0],["height","uint32",0],["width","uint32",0],["do_rectify","bool",0]],
  "sensor_msgs/msg/RelativeHumidity": [["header","std_msgs/msg/Header",0],["relative_humidity","float64",0],["variance","float64",0]],
  "sensor_msgs/msg/Temperature": [["header","std_msgs/msg/Header",0],["temperature","float64",0],["variance","float64",0]],
  "sensor_msgs/msg/TimeReference": [["header","std_msgs/msg/Header",0],["time_ref","builtin_interfaces/msg/Time",0],["source","string",0]],
  "service_msgs/msg/ServiceEventInfo": [["event_type","uint8",0],["stamp","builtin_interfaces/msg/Time",0],["client_gid","uint8",16],["sequence_number","int64",0]],
  "simulation_interfaces/msg/Bounds": [["type","uint8",0],["points","geometry_msgs/msg/Vector3",-1]],
  "simulation_interfaces/msg/EntityCategory": [["category","uint8",0]],
  "simulation_interfaces/msg/EntityFilters": [["filter","string",0],["categories","simulation_interfaces/msg/EntityCategory",-1],["tags","simulation_interfaces/msg/TagsFilter",0],["bounds","simulation_interfaces/msg/Bounds",0]],
  "simulation_interfaces/msg/EntityState": [["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["twist","geometry_msgs/msg/Twist",0],["acceleration","geometry_msgs/msg/Accel",0]],
  "simulation_interfaces/msg/Result": [["result","uint8",0],["error_message","string",0]],
  "simulation_interfaces/msg/SimulationState": [["state","uint8",0]],
  "simulation_interfaces/msg/SimulatorFeatures": [["features","uint16",-1],["spawn_formats","string",-1],["custom_info","string",0]],
  "simulation_interfaces/msg/Spawnable": [["uri","string",0],["description","string",0],["spawn_bounds","simulation_interfaces/msg/Bounds",0]],
  "simulation_interfaces/msg/TagsFilter": [["tags","string",-1],["filter_mode","uint8",0]],
  "std_msgs/msg/Bool": [["data","bool",0]],
  "std_msgs/msg/Byte": [["data","byte",0]],
  "std_msgs/msg/ByteMultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","byte",-1]],
  "std_msgs/msg/Char": [["data","char",0]],
  "std_msgs/msg/ColorRGBA": [["r","float32",0],["g","float32",0],["b","float32",0],["a","float32",0]],
  "std_msgs/msg/Empty": [["structure_needs_at_least_one_member","uint8",0]],
  "std_msgs/msg/Float32": [["data","float32",0]],
  "std_msgs/msg/Float32MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","float32",-1]],
  "std_msgs/msg/Float64": [["data","float64",0]],
  "std_msgs/msg/Float64MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","float64",-1]],
  "std_msgs/msg/Header": [["stamp","builtin_interfaces/msg/Time",0],["frame_id","string",0]],
  "std_msgs/msg/Int16": [["data","int16",0]],
  "std_msgs/msg/Int16MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","int16",-1]],
  "std_msgs/msg/Int32": [["data","int32",0]],
  "std_msgs/msg/Int32MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","int32",-1]],
  "std_msgs/msg/Int64": [["data","int64",0]],
  "std_msgs/msg/Int64MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","int64",-1]],
  "std_msgs/msg/Int8": [["data","int8",0]],
  "std_msgs/msg/Int8MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","int8",-1]],
  "std_msgs/msg/MultiArrayDimension": [["label","string",0],["size","uint32",0],["stride","uint32",0]],
  "std_msgs/msg/MultiArrayLayout": [["dim","std_msgs/msg/MultiArrayDimension",-1],["data_offset","uint32",0]],
  "std_msgs/msg/String": [["data","string",0]],
  "std_msgs/msg/UInt16": [["data","uint16",0]],
  "std_msgs/msg/UInt16MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint16",-1]],
  "std_msgs/msg/UInt32": [["data","uint32",0]],
  "std_msgs/msg/UInt32MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint32",-1]],
  "std_msgs/msg/UInt64": [["data","uint64",0]],
  "std_msgs/msg/UInt64MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint64",-1]],
  "std_msgs/msg/UInt8": [["data","uint8",0]],
  "std_msgs/msg/UInt8MultiArray": [["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint8",-1]],
  "tf2_msgs/msg/TF2Error": [["error","uint8",0],["error_string","string",0]],
  "tf2_msgs/msg/TFMessage": [["transforms","geometry_msgs/msg/TransformStamped",-1]],
  "unique_identifier_msgs/msg/UUID": [["uuid","uint8",16]],
  "visualization_msgs/msg/ImageMarker": [["header","std_msgs/msg/Header",0],["ns","string",0],["id","int32",0],["type","int32",0],["action","int32",0],["position","geometry_msgs/msg/Point",0],["scale","float32",0],["outline_color","std_msgs/msg/ColorRGBA",0],["filled","uint8",0],["fill_color","std_msgs/msg/ColorRGBA",0],["lifetime","builtin_interfaces/msg/Duration",0],["points","geometry_msgs/msg/Point",-1],["outline_colors","std_msgs/msg/ColorRGBA",-1]],
  "visualization_msgs/msg/InteractiveMarker": [["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["name","string",0],["description","string",0],["scale","float32",0],["menu_entries","visualization_msgs/msg/MenuEntry",-1],["controls","visualization_msgs/msg/InteractiveMarkerControl",-1]],
  "visualization_msgs/msg/InteractiveMarkerControl": [["name","string",0],["orientation","geometry_msgs/msg/Quaternion",0],["orientation_mode","uint8",0],["interaction_mode","uint8",0],["always_visible","bool",0],["markers","visualization_msgs/msg/Marker",-1],["independent_marker_orientation","bool",0],["description","string",0]],
  "visualization_msgs/msg/InteractiveMarkerFeedback": [["header","std_msgs/msg/Header",0],["client_id","string",0],["marker_name","string",0],["control_name","string",0],["event_type","uint8",0],["pose","geometry_msgs/msg/Pose",0],["menu_entry_id","uint32",0],["mouse_point","geometry_msgs/msg/Point",0],["mouse_point_valid","bool",0]],
  "visualization_msgs/msg/InteractiveMarkerInit": [["server_id","string",0],["seq_num","uint64",0],["markers","visualization_msgs/msg/InteractiveMarker",-1]],
  "visualization_msgs/msg/InteractiveMarkerPose": [["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["name","string",0]],
  "visualization_msgs/msg/InteractiveMarkerUpdate": [["server_id","string",0],["seq_num","uint64",0],["type","uint8",0],["markers","visualization_msgs/msg/InteractiveMarker",-1],["poses","visualization_msgs/msg/InteractiveMarkerPose",-1],["erases","string",-1]],
  "visualization_msgs/msg/Marker": [["header","std_msgs/msg/Header",0],["ns","string",0],["id","int32",0],["type","int32",0],["action","int32",0],["pose","geometry_msgs/msg/Pose",0],["scale","geometry_msgs/msg/Vector3",0],["color","std_msgs/msg/ColorRGBA",0],["lifetime","builtin_interfaces/msg/Duration",0],["frame_locked","bool",0],["points","geometry_msgs/msg/Point",-1],["colors","std_msgs/msg/ColorRGBA",-1],["texture_resource","string",0],["texture","sensor_msgs/msg/CompressedImage",0],["uv_coordinates","visualization_msgs/msg/UVCoordinate",-1],["text","string",0],["mesh_resource","string",0],["mesh_file","visualization_msgs/msg/MeshFile",0],["mesh_use_embedded_materials","bool",0]],
  "visualization_msgs/msg/MarkerArray": [["markers","visualization_msgs/msg/Marker",-1]],
  "visualization_msgs/msg/MenuEntry": [["id","uint32",0],["parent_id","uint32",0],["title","string",0],["command","string",0],["command_type","uint8",0]],
  "visualization_msgs/msg/MeshFile": [["filename","string",0],["data","uint8",-1]],
  "visualization_msgs/msg/UVCoordinate": [["u","float32",0],["v","float32",0]],
};
