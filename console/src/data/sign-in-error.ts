import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Why single sign-on has led back in vain: from a sign-in, and from a proof of who is signed in. */
const words: Readonly<Record<string, { readonly signIn: string; readonly proof: string }>> = {
  unreachable: {
    signIn: 'The single sign-on provider cannot be reached. Try again later.',
    proof: 'The single sign-on provider cannot be reached. Try again later.',
  },
  refused: {
    signIn: 'Single sign-on failed. Try again.',
    proof: 'Single sign-on could not confirm your identity. Try again.',
  },
  unknown: {
    signIn: 'You have not been invited to this console. Ask an owner for an invitation.',
    proof: 'You used a different single sign-on account. Use the one that belongs to your account here.',
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
