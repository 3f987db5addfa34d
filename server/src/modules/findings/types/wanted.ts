import type { Finding } from '@muster/contract/finding'

/**
 * What a decision asks of a finding: that it is open, with what it shows then, or that it is resolved. A decision that
 * has nothing to say gives undefined: the finding stays as it is.
 */
export type Wanted =
  | { readonly open: false }
  | {
      readonly open: true
      readonly passwordId?: string | null
      readonly weakPasswordReasons?: Finding['weakPasswordReasons']
    }

export const resolved: Wanted = { open: false }

export const daySeconds = 24 * 60 * 60
