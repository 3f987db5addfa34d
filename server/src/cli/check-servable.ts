import type { Config } from '../config.ts'
import { listenPlan } from '../http/listen-plan.ts'
import { senderOptions } from './start-deliverer.ts'

/** Looks at all that the start of a server has against settings that are right each by itself. @throws ConfigError */
export function checkServable(config: Config): void {
  listenPlan(config)
  senderOptions(config)
}
