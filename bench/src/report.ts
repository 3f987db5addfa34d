import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** A line of the results. */
export interface Line {
  /** The number of the workload. */
  readonly number: number
  readonly workload: string
  readonly target: string
  readonly measured: string
  /** Undefined if there is no target. */
  readonly met: boolean | undefined
  /** Further figures for the results file. */
  readonly figures?: unknown
}

const verdict = (met: boolean | undefined) => (met === undefined ? '–' : met ? 'yes' : 'NO')

/** Prints a line at once, so a long run shows its progress. */
export function printLine({ number, workload, target, measured, met }: Line): void {
  const columns = [String(number).padStart(2), workload.padEnd(44), target.padEnd(30), verdict(met).padEnd(3)]
  console.log(`${columns.join('  ')}  ${measured}`)
}

/** Prints the column headings. */
export function printHead(): void {
  console.log(
    `${' #'}  ${'workload'.padEnd(44)}  ${'target'.padEnd(30)}  met  measured (medians; ratio = CPU per request, floor ÷ Muster)`,
  )
}

/** Writes the results file, with a description of the machine. Returns its path. */
export function writeResults(folder: string, rows: number, lines: readonly Line[]): string {
  mkdirSync(folder, { recursive: true })
  const now = new Date()
  const path = join(folder, `${now.toISOString().slice(0, 19).replaceAll(':', '')}.json`)
  const machine = {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  }
  writeFileSync(path, `${JSON.stringify({ at: now.toISOString(), rows, machine, lines }, null, 2)}\n`)
  return path
}
