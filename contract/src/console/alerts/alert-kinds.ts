/**
 * Events that people are told about.
 * - `DETECTION`: a detection, or one that became more severe;
 * - `FINDING`: a finding opened;
 * - `NEW_APP`, `NEW_UNRECOGNIZED_APP`: an app was used for the first time;
 * - `SILENT_AGENT`: a browser of a licensed employee has not been in contact for some days.
 */
export const alertTriggers = [
  'DETECTION',
  'FINDING',
  'NEW_APP',
  'NEW_UNRECOGNIZED_APP',
  'SILENT_AGENT',
] as const
export type AlertTrigger = (typeof alertTriggers)[number]

/** Kinds of receivers. */
export const alertDestinations = ['EMAIL', 'SLACK', 'TEAMS', 'PAGERDUTY', 'WEBHOOK'] as const
export type AlertDestination = (typeof alertDestinations)[number]

/** Times of messages: at once, or digests. */
export const alertSchedules = ['IMMEDIATE', 'HOURLY', 'DAILY', 'WEEKLY'] as const
export type AlertSchedule = (typeof alertSchedules)[number]

/** Days of the week in the order of ISO 8601, in which Monday is 1. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const
