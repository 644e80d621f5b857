export { type InspectLog, type InspectSample, type InspectScore, isLog, readInspectLog } from "./log.ts";
