import type { Config } from '../../kernel/config/config.ts'
import { listenPlan } from '../../kernel/http/listen-plan.ts'
import { senderOptions } from '../webhooks/delivery/start-deliverer.ts'

/** Looks at all that the start of a server has against settings that are right each by itself. @throws ConfigError */
export function checkServable(config: Config): void {
  listenPlan(config)
  senderOptions(config)
}
