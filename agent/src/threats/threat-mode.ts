import type { PolicyProtection } from '@muster/contract/agent-policy'
import type { ControlMode } from '@muster/contract/controls'

/** What a protection does about an app; for what is about none, its usual mode. */
export const modeFor = (protection: PolicyProtection, appType: string | null): ControlMode =>
  (appType !== null && Object.hasOwn(protection.byApp, appType) ? protection.byApp[appType] : undefined) ??
  protection.mode
