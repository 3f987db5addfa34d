/**
 * How often the agent reports, or asks whether it is to, where no policy says so (domain contract, section 7), in
 * seconds. A dormant browser has no policy: it asks as often as others report.
 */
export const usualHeartbeatSeconds = 300

/**
 * How long the next heartbeat has to wait; 0 if it is due. A last one in the future means that the clock was set back,
 * and is no reason to wait longer than between two.
 *
 * @param lastMs when the last one began
 */
export function heartbeatWaitMs(lastMs: number, heartbeatSeconds: number, nowMs: number): number {
  const waitMs = lastMs + heartbeatSeconds * 1000 - nowMs
  return waitMs <= 0 || waitMs > heartbeatSeconds * 1000 ? 0 : waitMs
}
