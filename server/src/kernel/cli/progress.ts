import type { Clock } from '../lib/clock.ts'
import type { CommandIo } from './command.ts'

/** Progress of a long task on standard error: a bar on a terminal, otherwise a line every few seconds. */
export interface Progress {
  /** Adds to the count. Cheap: writes at most ten times per second. */
  advance(count: number): void
  /** Ends the progress, after success or failure, and writes the final count. */
  finish(): void
}

/** Options of {@link startProgress}. */
export interface ProgressOptions {
  readonly stream: CommandIo['stderr']
  readonly clock: Clock
  /** Name of the task: `employees.jsonl`. */
  readonly label: string
  /** Counted unit, in the plural: `records`. */
  readonly unit: string
  /** Total number, if known. */
  readonly total?: number | undefined
  /** Number done before a resumed task. Counts as done, but not for the rate. */
  readonly doneBefore?: number
}

const terminalIntervalMs = 100
const plainIntervalMs = 5_000
const barWidth = 20

/** Starts to show the progress of a long task: done, total, rate, time left. */
export function startProgress(options: ProgressOptions): Progress {
  const { stream, clock, doneBefore = 0 } = options
  const onTerminal = stream.isTTY === true
  const intervalMs = onTerminal ? terminalIntervalMs : plainIntervalMs
  const startMs = clock.monotonicMs()
  let done = doneBefore
  let nextMs = startMs + intervalMs

  function show(): void {
    const text = progressLine({ ...options, done, passedMs: clock.monotonicMs() - startMs, bar: onTerminal })
    // A line longer than the terminal would wrap and could not be overwritten.
    stream.write(onTerminal ? `\r\u001B[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`)
  }

  return {
    advance(count) {
      done += count
      const nowMs = clock.monotonicMs()
      if (nowMs < nextMs) return
      nextMs = nowMs + intervalMs
      show()
    },
    finish() {
      show()
      if (onTerminal) stream.write('\n')
    },
  }
}

/** Formats a line of progress. */
function progressLine(state: {
  readonly label: string
  readonly unit: string
  readonly done: number
  readonly total?: number | undefined
  readonly doneBefore?: number
  readonly passedMs: number
  readonly bar: boolean
}): string {
  const { label, unit, done, total, doneBefore = 0, passedMs, bar } = state
  const perSecond = passedMs > 0 ? ((done - doneBefore) * 1000) / passedMs : 0
  const rate = `${grouped(Math.round(perSecond))}/s`
  if (total === undefined || total === 0) return `${label}  ${grouped(done)} ${unit}  ${rate}`
  const share = Math.min(1, done / total)
  const left = done >= total ? duration(passedMs / 1000) : timeLeft((total - done) / perSecond)
  const filled = Math.floor(share * barWidth)
  const drawn = bar ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : ''
  return `${label}  ${drawn}${Math.floor(share * 100)} %  ${grouped(done)} of ${grouped(total)} ${unit}  ${rate}  ${left}`
}

function timeLeft(seconds: number): string {
  return Number.isFinite(seconds) ? `${duration(Math.ceil(seconds))} left` : 'time left unknown'
}

/** `3 s`, `2 min 5 s`, `1 h 4 min`. */
function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
