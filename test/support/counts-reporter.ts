import { writeSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** Numbers of tests by result. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Returns the line that continuous integration reads: `12 passed, 0 failed`, with `, 1 skipped` if there are any. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Prints the counts as the last line of the output, after Vitest's own summary.
 *
 * A failure outside a test (a file that does not load, a hook, an unhandled rejection) counts as one failure, so the line
 * never says `0 failed` for a failed run. A run without tests counts as one failure, too.
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
    // At exit, so nothing is printed after it; synchronously, because asynchronous work is no longer done then.
    process.once('exit', () => writeSync(1, `${this.#line}\n`))
  }

  // Printed if Vitest aborts the run.
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
