/** Values of policy files that people type. */
export interface TypedPolicy {
  readonly enrolmentToken?: string | undefined
  readonly chromiumId?: string | undefined
  /** Update URL or XPI address. */
  readonly installUrl?: string | undefined
}

/** Returns what is wrong with typed values, for people. Omitted values have no mistake. */
export function policyMistakes({
  enrolmentToken,
  chromiumId,
  installUrl,
}: TypedPolicy): Partial<Record<keyof TypedPolicy, string>> {
  return {
    ...(enrolmentToken !== undefined &&
      !/^met_[\w-]+$/.test(enrolmentToken) && {
        enrolmentToken: 'An enrollment token starts with “met_”, followed by letters, digits, “-” and “_”.',
      }),
    ...(chromiumId !== undefined &&
      !/^[a-p]{32}$/.test(chromiumId) && { chromiumId: 'An extension ID has 32 letters from “a” to “p”.' }),
    ...(installUrl !== undefined &&
      !isWebAddress(installUrl) && { installUrl: 'Enter an address that starts with “https://”.' }),
  }
}

const isWebAddress = (text: string): boolean =>
  ['https:', 'http:'].includes(URL.parse(text)?.protocol ?? '') && !/[\s"<>\\]/.test(text)
