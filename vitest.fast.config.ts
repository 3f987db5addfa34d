import { defineConfig, mergeConfig } from 'vitest/config'
import { fastTests } from './test/support/fast-tests.ts'
import { sharedOptions } from './vitest.config.ts'

const files = fastTests()
const isOfAgent = (file: string): boolean => file.startsWith('agent/')

/**
 * Tests of `npm run test:fast`: those of `agent` and `unit` (vitest.config.ts) that need no other program, on the embedded
 * store only.
 */
export default mergeConfig(
  defineConfig({ test: sharedOptions }),
  defineConfig({
    test: {
      globalSetup: ['./test/support/fast-setup.ts'],
      env: { TEST_STORES: 'sqlite' },
      projects: [
        { extends: true, test: { name: 'agent', include: files.filter(isOfAgent) } },
        {
          extends: true,
          test: { name: 'unit', isolate: false, include: files.filter((file) => !isOfAgent(file)) },
        },
      ],
    },
  }),
)
