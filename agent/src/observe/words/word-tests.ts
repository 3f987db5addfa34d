import { frameWatch } from '../../loader/frame-watch.ts'
import type { FrameWords } from './frame-words.ts'
import { type WordTest, wordList } from './word-list.ts'

/**
 * Creates a test of normalized text for a word list of the frame. The lists arrive with the policy; no field and no
 * press is examined before that.
 */
/* @__NO_SIDE_EFFECTS__ */
function says(name: keyof FrameWords): WordTest {
  let test: WordTest | undefined
  return (text) => {
    test ??= wordList(...wordsOf(name))
    return test(text)
  }
}

function wordsOf(name: keyof FrameWords): readonly string[] {
  const { words } = frameWatch()
  if (!words) throw new Error(`Word list ${name} is not loaded yet`)
  return words[name]
}

export const saysPassword = says('password')
export const saysNewPassword = says('newPassword')
export const saysRepeatedPassword = says('repeatedPassword')
export const saysCurrentPassword = says('currentPassword')
export const saysIdentity = says('identity')
export const saysIdentityBesidePassword = says('identityBesidePassword')
export const saysNoIdentity = says('noIdentity')
export const saysOtherThanIdentity = says('otherThanIdentity')
export const saysCode = says('code')
export const saysAnyCode = says('anyCode')
export const saysOtherCode = says('otherCode')
export const saysAside = says('aside')
export const saysSignUp = says('signUp')
export const saysSignIn = says('signIn')
