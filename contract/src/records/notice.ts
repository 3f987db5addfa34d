/** Kinds of messages to people (events contract, section 4). */
export const noticeKinds = [
  'API_DEPRECATED',
  'API_DEPRECATION_WITHDRAWN',
  'KEY_EXPIRES',
  'WEBHOOK_SWITCHED_OFF',
  'MONTHLY_REPORT',
  'FINDINGS_REQUEST',
  'ALERT',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * State of a message.
 * - `PENDING`: waiting for the first or next attempt;
 * - `SENDING`: being handed to the mail server;
 * - `SENT`: accepted by the mail server, or written to a file;
 * - `FAILED`: refused permanently or for too long;
 * - `IN_DOUBT`: handed to the mail server without a response. It is not resent automatically.
 */
export const noticeStates = ['PENDING', 'SENDING', 'SENT', 'FAILED', 'IN_DOUBT'] as const
export type NoticeState = (typeof noticeStates)[number]

/** The versions of the API that there are (REST API document, section 9). */
export const apiVersions = ['v1'] as const
export type ApiVersion = (typeof apiVersions)[number]

/** Days before expiry at which the holder of a key is notified (events contract, section 4). */
export const keyExpiryNoticeDays = 14
