import type { PolicyProtection } from '@muster/contract/agent/agent-policy'
import type { ControlMode } from '@muster/contract/records/controls'

/** Returns the mode of a protection for an app; the default mode if no app is involved. */
export const modeFor = (protection: PolicyProtection, appType: string | null): ControlMode =>
  (appType !== null && Object.hasOwn(protection.byApp, appType) ? protection.byApp[appType] : undefined) ??
  protection.mode
