import { createContext, useContext, useEffect } from 'react'
import { ConsoleError } from '../../data/console-send.ts'

/** Error of a form, and the members whose errors its fields show. */
export const FormContext = createContext<{ readonly error: unknown; readonly shown: Set<string> }>({
  error: null,
  shown: new Set(),
})

/** Returns the validation error of a member as a sentence. */
export function fieldErrorOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof ConsoleError)) return undefined
  const message = error.fieldErrors.find((fieldError) => fieldError.name === name)?.message
  return message === undefined ? undefined : `It ${message}.`
}

/** Returns the validation error of a field, and registers the field so that its form does not repeat the error. */
export function useFieldError(name: string | undefined): string | undefined {
  const { error, shown } = useContext(FormContext)
  useEffect(() => {
    if (name === undefined) return
    shown.add(name)
    return () => void shown.delete(name)
  }, [name, shown])
  return name === undefined ? undefined : fieldErrorOf(error, name)
}
