import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Why single sign-on has led back in vain: from a sign-in, and from a proof of who is signed in. */
const words: Readonly<Record<string, { readonly signIn: string; readonly proof: string }>> = {
  unreachable: {
    signIn: 'Single sign-on cannot be reached at the moment.',
    proof: 'Single sign-on cannot be reached at the moment.',
  },
  refused: {
    signIn: 'Single sign-on has not let you in. Try again.',
    proof: 'Single sign-on has not said who you are. Try again.',
  },
  unknown: {
    signIn: 'Single sign-on knows you, but nobody has invited this address to the console.',
    proof: 'Single sign-on has named somebody else. Prove it as who you are signed in here.',
  },
}

/** What the address tells of that, if anything. It is told once: the address does not keep it. */
export function useSignInError(of: 'signIn' | 'proof'): string | undefined {
  const { signInError } = useSearch({ strict: false }) as { signInError?: string }
  const navigate = useNavigate()
  const [reason] = useState(signInError)
  useEffect(() => {
    if (signInError === undefined) return
    const without = (search: object) => ({ ...search, signInError: undefined })
    void navigate({ to: '.', search: without as never, replace: true })
  }, [signInError, navigate])
  return reason === undefined ? undefined : words[reason]?.[of]
}
