import { detections } from '@muster/contract/records/detection'
import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../test/support/answers.ts'
import { aDetection, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { rewriteDetectionLinks } from './detection-links.service.ts'

const publicUrl = 'https://new_name.example.com'
const { signal } = new AbortController()

describe.each(STORES)('%s', (store) => {
  const h = useHarness(store)

  test('rewrites the links of all detections to the current address and changes nothing else', async () => {
    const callers = [await h.addCaller(), await h.addCaller()]
    const ofOthers = ['https://old.example.com/console/detections/1', 'https://newXname.example.com/console/']
    const outdated = ofOthers.map((detectionLink) =>
      aDetection({
        detectionLink,
        url: `https://x.example/"detectionLink":"${publicUrl}/console/detections/`,
      }),
    )
    const many = Array.from({ length: 600 }, () => aDetection())
    await put(h, callers[0]?.org ?? 0, detections, [...outdated, ...many])
    await put(h, callers[1]?.org ?? 0, detections, [aDetection()])
    const list = async () => {
      const pages = callers.map((caller) => h.call(caller, 'GET', '/v1/detections?limit=1000'))
      return (await Promise.all(pages)).flatMap(recordsOf)
    }
    const before = await list()
    expect(await rewriteDetectionLinks(h.db, publicUrl, signal)).toBe(603)
    const link = ({ id }: { id: string }) => `${publicUrl}/console/detections/${id}`
    const after = await list()
    expect(after).toEqual(before.map((record) => ({ ...record, detectionLink: link(record) })))
    expect(Object.keys(after[0])).toEqual(Object.keys(before[0]))
    expect(await rewriteDetectionLinks(h.db, publicUrl, signal)).toBe(0)
  })
})
