import type { Config } from '../../kernel/config/config.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { addAlertRule } from '../alerts/manage-alerts.ts'
import type { Colleague } from './demo-colleagues.ts'
import { companyDomain } from './workforce/company.ts'

/** Adds an alert rule, last, so that it tells nobody about what was simulated. Its mails are files unless a mail server is set. */
export async function addAlert(
  { db, config, org }: { readonly db: Db; readonly config: Config; readonly org: number },
  [colleague]: readonly Colleague[],
  nowSeconds: number,
): Promise<void> {
  if (!colleague) return
  const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
  const nowMs = nowSeconds * 1000
  const context = {
    db,
    clock: { ...systemClock, nowMs: () => nowMs },
    key: deriveKeys(master).webhookSecrets,
    targetPolicy: { allowPrivate: false },
  }
  const rule = {
    name: 'Serious attacks and urgent findings',
    triggers: ['DETECTION' as const, 'FINDING' as const],
    minSeverity: 'HIGH' as const,
    minPriority: 'P1' as const,
    destination: 'EMAIL' as const,
    addresses: [`security@${companyDomain}`],
    schedule: 'DAILY' as const,
    hour: 8,
  }
  await addAlertRule(context, org, rule, { source: 'CLI', user: colleague.name })
}
