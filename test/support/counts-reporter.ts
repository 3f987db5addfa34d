import { writeSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** How the tests of a run ended. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * The line that continuous integration reads: `12 passed, 0 failed`, with `, 1 skipped` when there are any.
 */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Prints the counts as the very last line of the output, after Vitest's own summary.
 *
 * What fails outside a test (a file that does not load, a hook, an unhandled rejection) counts as one failure, so
 * that the line never says `0 failed` of a failed run. A run in which no test ran is a failed one, and counts as one failure too.
 */
export class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = countTests(modules)
    counts.failed += unhandledErrors.length
    if (counts.passed + counts.failed === 0) {
      counts.failed = 1
      process.exitCode = 1
    }
    this.#line = countsLine(counts)
  }

  onInit(): void {
    // At exit, because nothing can be printed after it; synchronously, because nothing else is done then.
    process.once('exit', () => writeSync(1, `${this.#line}\n`))
  }

  // What is said of a run that Vitest gave up before its end.
  #line = countsLine({ passed: 0, failed: 1, skipped: 0 })
}

function countTests(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    const parts: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()]
    counts.failed += parts.filter((part) => part.errors().length > 0).length
    for (const test of module.children.allTests()) counts[outcome(test)] += 1
  }
  return counts
}

function outcome(test: TestCase): keyof Counts {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}
