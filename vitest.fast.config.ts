import { defineConfig, mergeConfig } from 'vitest/config'
import { fastTests } from './test/support/fast-tests.ts'
import { sharedOptions } from './vitest.config.ts'

/** Tests of `npm run test:fast`: those that need no other program, on the embedded store only. */
export default mergeConfig(
  defineConfig({ test: sharedOptions }),
  defineConfig({
    test: {
      include: fastTests(),
      globalSetup: ['./test/support/fast-setup.ts'],
      // Modules are evaluated once per worker rather than once per file, which halves the time.
      isolate: false,
      env: { TEST_STORES: 'sqlite' },
    },
  }),
)
