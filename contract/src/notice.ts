/** What a message to a person may be about (events contract, section 4). */
export const noticeKinds = [
  'API_DEPRECATED',
  'API_DEPRECATION_WITHDRAWN',
  'KEY_EXPIRES',
  'WEBHOOK_SWITCHED_OFF',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * Where a message stands.
 * - `PENDING`: it waits for its first or its next attempt;
 * - `SENDING`: the mail server is being given it;
 * - `SENT`: the mail server has taken it, or it is a file;
 * - `FAILED`: the mail server refused it for good, or for too long;
 * - `IN_DOUBT`: it was given to the mail server, whose answer nobody heard. It is not sent again by itself.
 */
export const noticeStates = ['PENDING', 'SENDING', 'SENT', 'FAILED', 'IN_DOUBT'] as const
export type NoticeState = (typeof noticeStates)[number]

/** The versions of the API that there are (REST API document, section 9). */
export const apiVersions = ['v1'] as const
export type ApiVersion = (typeof apiVersions)[number]

/** Days before its end from which the holder of a key that expires is told (events contract, section 4). */
export const keyExpiryNoticeDays = 14
