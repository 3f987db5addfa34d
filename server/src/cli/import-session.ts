import { closeSync, openSync, writeSync } from 'node:fs'
import type { Organisation } from '../storage/organisations.ts'
import type { Db } from '../storage/sql.ts'
import { danglingWatch } from '../transfer/dangling.ts'
import type { ImportTarget } from '../transfer/import-lines.ts'
import { type ImportSummary, newSummary, type Reject, totalOf } from '../transfer/import-report.ts'
import { type CommandContext, CommandFailure } from './command.ts'
import { textTable } from './text-table.ts'

const rejectsTold = 20

/** An import from its begin to its report. */
export interface ImportSession {
  /** Where records go, in a store that is open. */
  on(db: Db): ImportTarget
  readonly summary: ImportSummary
  /** Tells what came of it. @returns the exit code: 1 if anything was rejected */
  report(db: Db): Promise<number>
  close(): void
}

/** Begins an import. @param rejectsPath where rejected lines are written */
export function beginImport(
  context: CommandContext,
  organisation: Organisation,
  rejectsPath: string | undefined,
): ImportSession {
  const rejects = rejectsFile(context, rejectsPath)
  const watch = danglingWatch(organisation.no)
  const summary = newSummary()
  return {
    on: (db) => ({ db, org: organisation.no, summary, watch, reject: rejects.add }),
    summary,
    close: rejects.close,
    report: async (db) => {
      const warnings = await watch.warnings(db)
      const total = totalOf(summary)
      if (context.json) context.printJson({ organisation: organisation.name, ...summary, total, warnings })
      else context.print(summaryTable(summary))
      for (const { resource, member, target: named, count, example } of warnings) {
        context.note(
          `Warning: ${count} ${resource} have a ${member} that names nothing in ${named}, for example ${example.value} in ${example.id}.`,
        )
      }
      rejects.tellRest(total.rejected)
      return total.rejected > 0 ? 1 : 0
    },
  }
}

function rejectsFile(context: CommandContext, path: string | undefined) {
  const file = path === undefined ? undefined : openRejects(path)
  let told = 0
  return {
    add(reject: Reject): void {
      const { text, ...rest } = reject
      if (file !== undefined) writeSync(file, `${JSON.stringify({ ...rest, record: text })}\n`)
      told += 1
      // A progress bar may stand on the line.
      const start = context.io.stderr.isTTY === true ? '\r\u001B[K' : ''
      if (told <= rejectsTold) context.note(`${start}${reject.file}:${reject.line}: ${reject.reason}`)
    },
    tellRest(rejected: number): void {
      if (rejected === 0) return
      const more = rejected > rejectsTold ? ` The first ${rejectsTold} are shown above.` : ''
      const where = path === undefined ? ' --rejects FILE keeps them.' : ` They are in ${path}.`
      context.note(`${rejected} of the lines were rejected.${more}${where}`)
    },
    close(): void {
      if (file !== undefined) closeSync(file)
    },
  }
}

function openRejects(path: string): number {
  try {
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw new CommandFailure(
      `--rejects ${JSON.stringify(path)} must be a file that can be written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

function summaryTable(summary: ImportSummary): string {
  const rows = Object.entries(summary.resources).map(([name, counts]) => [name, counts] as const)
  const all = [...rows, ['all', totalOf(summary)] as const]
  return textTable(
    ['RESOURCE', 'ADDED', 'REPLACED', 'UNCHANGED', 'REJECTED'],
    all.map(([name, { added, replaced, unchanged, rejected }]) =>
      [name, added, replaced, unchanged, rejected].map(String),
    ),
  )
}
