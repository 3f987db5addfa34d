import { blockedUrls } from '@muster/contract/blocked-url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace } from '../../../../../test/support/database.ts'
import { aBlockedUrl } from '../../../../../test/support/fixtures.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { indexedText } from '../indexed-text.ts'
import { getRecordsByValues, insertRecords } from '../records.ts'
import { openStore } from './open.ts'

for (const store of STORES) {
  describe(store, () => {
    let options: StorePlace['options']
    let drop: StorePlace['drop']
    beforeEach(async () => {
      ;({ options, drop } = await freshStorePlace(store, true))
    })
    afterEach(() => drop())

    test('patterns that the version before has stored are found, whatever their length', async () => {
      const lengths = [1, 246, 247, 2038]
      const short = Array.from({ length: 1100 }, (_, at) =>
        aBlockedUrl({ url: `a.example/${at}/${'s'.repeat(150)}` }),
      )
      const long = ['x', '😀'].flatMap((character) =>
        lengths.map((length) => aBlockedUrl({ url: `a.example/${character.repeat(length)}` })),
      )
      const all = [...short, ...long]
      const before = await openStore(options, 1)
      await before.inTransaction(async (tx) => {
        const rows = all.map((record) => ({
          id: record.id,
          record,
          createdAtSeconds: record.creationTimestamp,
        }))
        for (const org of [1, 2]) await insertRecords(tx, blockedUrls, org, rows)
        for (const { id, url } of all) await tx.run('UPDATE blocked_urls SET url = ? WHERE id = ?', [url, id])
        await tx.run('DELETE FROM migrations WHERE number = 14')
      })
      await before.close()
      const db = await openStore(options, 2)
      for (const org of [1, 2]) {
        const urls = all.map(({ url }) => indexedText(url))
        const found = await db.inTransaction((tx) => getRecordsByValues(tx, blockedUrls, org, 'url', urls))
        expect(new Set(found.map(({ record }) => record.url))).toEqual(new Set(all.map(({ url }) => url)))
      }
      await db.close()
    })
  })
}
