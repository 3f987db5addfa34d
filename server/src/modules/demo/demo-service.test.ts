import { expect, test } from 'vitest'
import { browserFacts } from '../../../../test/support/agents.ts'
import { freshStorePlace } from '../../../../test/support/database.ts'
import { loadConfig } from '../../kernel/config/config.ts'
import { hashToken, newEnrollmentToken } from '../../kernel/lib/secrets/agent-token.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { addOrganization } from '../../kernel/organizations/organizations.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { insertEnrollmentToken } from '../agents/enrollment-tokens.service.ts'
import { demoService } from './demo-service.ts'

test('a whole company can enroll and report from one address at once', async () => {
  const { options, drop } = await freshStorePlace('sqlite')
  const db = await openStore(options, 0)
  const token = newEnrollmentToken()
  await db.inTransaction(async (tx) => {
    const { no: org } = await addOrganization(tx, newId(0), 'company', 0)
    const row = { org, id: newId(0), name: 'laptops', hash: hashToken(token), creationTimestamp: 0 }
    await insertEnrollmentToken(tx, row)
  })
  const config = loadConfig({ env: {}, flags: { data: options.dataDir }, cwd: options.dataDir })
  const service = await demoService(db, config, 1)
  service.setTime(1_767_225_600)
  const enroll = (index: number) =>
    service.send({
      method: 'POST',
      path: '/agent/v1/enrol',
      address: '203.0.113.7',
      body: { token, identity: `person${index}@example.com`, browser: browserFacts() },
    })
  // More than the public rate limit per address; `send` throws at the first 429.
  const [first] = await Promise.all(Array.from({ length: 100 }, (_, index) => enroll(index)))
  const { credential = '' } = (first?.body ?? {}) as { credential?: string }
  const headers = { authorization: `Bearer ${credential}` }
  const policies = Array.from({ length: 30 }, () =>
    service.send({ method: 'GET', path: '/agent/v1/policy', headers }),
  )
  expect(await Promise.all(policies)).toHaveLength(30)
  await service.close()
  await db.close()
  await drop()
})
