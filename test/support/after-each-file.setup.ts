import { afterAll, vi } from 'vitest'
import { checkNoWarnings } from './warnings.ts'

// Files of one process share globals and modules.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})
afterAll(checkNoWarnings)
