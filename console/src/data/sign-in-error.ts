import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Messages for failed single sign-on, for a sign-in and for re-authentication. */
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

/** Returns the single sign-on error in the URL, if any, and removes it from the URL. */
export function useSignInError(of: 'signIn' | 'proof'): string | undefined {
  const { signInError } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [reason] = useState(signInError)
  useEffect(() => {
    if (signInError === undefined) return
    void navigate({ to: '.', search: (search) => ({ ...search, signInError: undefined }), replace: true })
  }, [signInError, navigate])
  return typeof reason === 'string' ? words[reason]?.[of] : undefined
}
