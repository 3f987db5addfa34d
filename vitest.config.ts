import { availableParallelism } from 'node:os'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import { privateView } from './e2e/src/managed-policy.ts'
import { CountsReporter } from './test/support/counts-reporter.ts'
import { folderOfTemporaryFiles } from './test/support/temporary-files.ts'
import { warningOptions } from './test/support/warnings.ts'

/** Makes what tests load start faster. */
const bundledPackages = new URL('./server/src/kernel/lib/process/bundled-packages.mjs', import.meta.url)

// For all that is started here, and what that starts.
process.env.TMPDIR = folderOfTemporaryFiles()

/** Number of test files that run at the same time. Tests mostly wait for processes and disks. */
const workers = availableParallelism() + 3

/** Options of every run. */
export const sharedOptions: TestUserConfig = {
  reporters: ['default', new CountsReporter()],
  pool: 'forks',
  // Node loads the vendored driver itself, as in the server.
  server: { deps: { external: [/\/server\/vendor\//] } },
  // A process warning (a deprecation, a timer that overflows, a leak of listeners) fails the tests. Space for young objects as
  // large as most tests need spares a twentieth of the processor time.
  execArgv: [...warningOptions(), '--import', bundledPackages.href, '--max-semi-space-size=32'],
  setupFiles: ['./test/support/after-each-file.setup.ts'],
  maxWorkers: workers,
  // Many times what a test needs: only what hangs is to reach a limit, also on a slow and busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
  allowOnly: false,
  expect: { requireAssertions: true },
}

/**
 * Four projects. `guards` reads the repository and needs nothing. `agent` is the agent without a browser: its modules hold
 * the state of one page, so each file gets its own process. `unit` is every other test, with modules evaluated once per
 * process; those that need a store run on each of STORES (test/support/stores.ts), on the private PostgreSQL that
 * `services.ts` starts once. `e2e` is the whole product: a real Chromium with the agent as it was built, and a real server
 * (e2e/).
 */
export default defineConfig({
  test: {
    ...sharedOptions,
    projects: [
      {
        extends: true,
        test: { name: 'guards', include: ['test/guards/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'agent', include: ['agent/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: [
            '{contract,server,bench,scripts,console,sdk}/**/*.test.{ts,tsx}',
            'lab/{src,products}/**/*.test.ts',
            'test/{support,robustness}/**/*.test.ts',
          ],
          globalSetup: ['./test/support/services.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: [
            './test/support/services.ts',
            './e2e/src/build-agent.setup.ts',
            './e2e/src/build-console.setup.ts',
          ],
          // Beside no other tests: each has browsers and a server of its own. Four files at a time, because some wait for
          // disks and packages; one where the policy of a managed browser would reach those of another file.
          sequence: { groupOrder: 1 },
          maxWorkers: privateView() ? 4 : 1,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
