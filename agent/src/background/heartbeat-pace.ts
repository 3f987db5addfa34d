/**
 * Default heartbeat interval in seconds (domain contract, section 7). Also used by dormant browsers, which have no
 * policy.
 */
export const defaultHeartbeatSeconds = 300

/**
 * Returns the time until the next heartbeat; 0 if it is due. A last heartbeat in the future means that the clock was
 * set back; the wait never exceeds one interval.
 *
 * @param lastMs start of the last heartbeat
 */
export function heartbeatWaitMs(lastMs: number, heartbeatSeconds: number, nowMs: number): number {
  const waitMs = lastMs + heartbeatSeconds * 1000 - nowMs
  return waitMs <= 0 || waitMs > heartbeatSeconds * 1000 ? 0 : waitMs
}
