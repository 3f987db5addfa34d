/** Abort reason: the signal that asked the process to stop. */
export class StopSignal extends Error {
  override readonly name = 'AbortError'
  readonly signal: 'SIGINT' | 'SIGTERM'

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`stopped by ${signal}`)
    this.signal = signal
  }
}
