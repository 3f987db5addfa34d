import { type Logger, pino } from 'pino'
import { explainSystemError } from '../kernel/cli/system-errors.ts'
import { redactPaths } from '../kernel/lib/secrets/redact.ts'

/** Maximum size of the buffer while the log cannot be written. Further lines are dropped. */
const bufferBytesMaximum = 1024 * 1024

/**
 * Creates the log of the server on standard output. If it cannot be written, for example because the disk is full, this is
 * reported once on standard error, and the lines are retried with the next write. The server keeps running.
 *
 * @param level minimum level
 */
export function serverLog(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: bufferBytesMaximum })
  let isReported = false
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isReported || error.code === 'EPIPE') return
    isReported = true
    const reason = explainSystemError(error, 'standard output') ?? error.message
    process.stderr.write(`The log cannot be written; the server keeps running. ${reason}\n`)
  })
  return pino({ level, redact: { paths: [...redactPaths], censor: '***' } }, output)
}
