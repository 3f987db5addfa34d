import { type Logger, pino } from 'pino'
import { explainSystemError } from '../kernel/cli/system-errors.ts'
import { redactPaths } from '../kernel/lib/secrets/redact.ts'

/** So much of the log is held back while it cannot be written; what comes then is dropped. */
const heldBytesMaximum = 1024 * 1024

/**
 * The log of the server, on standard output. What cannot be written, as the disk is full or nobody reads it, is tried again
 * with what comes next, and told once on standard error: the server goes on without its log.
 *
 * @param level the least that is written
 */
export function serverLog(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: heldBytesMaximum })
  let isTold = false
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold || error.code === 'EPIPE') return
    isTold = true
    const reason = explainSystemError(error, 'standard output') ?? error.message
    process.stderr.write(`The log cannot be written; the server goes on without it. ${reason}\n`)
  })
  return pino({ level, redact: { paths: [...redactPaths], censor: '***' } }, output)
}
