import type { Clock } from '../lib/clock.ts'
import type { CommandIo } from './command.ts'

/** A long piece of work, told on standard error: a bar on a terminal, else a line every few seconds. */
export interface Progress {
  /** `count` more are done. Cheap: what is told is told at most ten times a second. */
  advance(count: number): void
  /** The work is over, well or not: tells the final count once. */
  finish(): void
}

/** What {@link startProgress} needs. */
export interface ProgressOptions {
  readonly stream: CommandIo['stderr']
  readonly clock: Clock
  /** What is being worked on: `employees.jsonl`. */
  readonly label: string
  /** What is counted, in the plural: `records`. */
  readonly unit: string
  /** How many there are altogether, if that is known. */
  readonly total?: number | undefined
  /** How many were done before, when work is resumed: they count as done, but not for the rate. */
  readonly doneBefore?: number
}

const terminalIntervalMs = 100
const plainIntervalMs = 5_000
const barWidth = 20

/** Begins to tell of a long piece of work: done, total, rate, time left. */
export function startProgress(options: ProgressOptions): Progress {
  const { stream, clock, doneBefore = 0 } = options
  const onTerminal = stream.isTTY === true
  const intervalMs = onTerminal ? terminalIntervalMs : plainIntervalMs
  const startMs = clock.monotonicMs()
  let done = doneBefore
  let nextMs = startMs + intervalMs

  function tell(): void {
    const text = progressLine({ ...options, done, passedMs: clock.monotonicMs() - startMs, bar: onTerminal })
    // A line that is longer than the terminal would wrap, and could not be written over.
    stream.write(onTerminal ? `\r\u001B[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`)
  }

  return {
    advance(count) {
      done += count
      const nowMs = clock.monotonicMs()
      if (nowMs < nextMs) return
      nextMs = nowMs + intervalMs
      tell()
    },
    finish() {
      tell()
      if (onTerminal) stream.write('\n')
    },
  }
}

/** One line of progress as text. */
export function progressLine(state: {
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
  return Number.isFinite(seconds) ? `${duration(Math.ceil(seconds))} left` : 'no rate yet'
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
