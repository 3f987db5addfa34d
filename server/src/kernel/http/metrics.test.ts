import { expect, test } from 'vitest'
import { version } from '../lib/version.ts'
import { makeMetrics } from './metrics.ts'

test('the metrics have the version as a label of muster_build_info', async () => {
  const { registry } = makeMetrics()
  expect(await registry.metrics()).toContain(`muster_build_info{version="${version}"} 1`)
})
