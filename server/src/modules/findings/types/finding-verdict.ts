import type { Finding } from '@muster/contract/records/finding'

/**
 * State that a finding should have: open with the details it shows, or resolved. Decisions that cannot tell return
 * undefined, which leaves the finding unchanged.
 */
export type FindingVerdict =
  | { readonly open: false }
  | {
      readonly open: true
      readonly passwordId?: string | null
      readonly weakPasswordReasons?: Finding['weakPasswordReasons']
    }

export const resolved: FindingVerdict = { open: false }

export const daySeconds = 24 * 60 * 60
