import { defineConfig } from 'vitest/config'
import { CountsReporter } from './test/support/counts-reporter.ts'

/**
 * Two projects. `guards` reads the repository and needs nothing. `unit` is every other test; those that need a
 * store run on each of STORES (test/support/stores.ts), on the private PostgreSQL that `services.ts` starts once.
 */
export default defineConfig({
  test: {
    reporters: ['default', new CountsReporter()],
    projects: [
      {
        extends: true,
        test: { name: 'guards', include: ['test/guards/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,server,bench,scripts}/**/*.test.ts', 'test/{support,robustness}/**/*.test.ts'],
          globalSetup: ['./test/support/services.ts'],
        },
      },
    ],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 20_000,
    allowOnly: false,
    expect: { requireAssertions: true },
  },
})
