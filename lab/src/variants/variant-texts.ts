/** Texts of a page, in the order of the rows below. */
const keys = [
  'user',
  'email',
  'password',
  'newPassword',
  'repeat',
  'current',
  'signIn',
  'signUp',
  'next',
  'show',
  'wrong',
  'locked',
  'home',
  'signOut',
  'changePassword',
  'save',
  'taken',
] as const

export type Words = Readonly<Record<(typeof keys)[number], string>>

const rows = {
  en: 'User name|Email address|Password|New password|Repeat password|Current password|Sign in|Sign up|Next|Show|The user name or password is incorrect.|Your account is locked. Try again in 15 minutes.|Overview|Sign out|Change password|Save|An account with this address already exists.',
  es: 'Nombre de usuario|Correo electrónico|Contraseña|Nueva contraseña|Repetir contraseña|Contraseña actual|Iniciar sesión|Crear cuenta|Siguiente|Mostrar|El usuario o la contraseña no son correctos.|Tu cuenta está bloqueada. Inténtalo de nuevo en 15 minutos.|Resumen|Cerrar sesión|Cambiar contraseña|Guardar|Ya existe una cuenta con este correo.',
  fr: 'Nom d’utilisateur|Adresse e-mail|Mot de passe|Nouveau mot de passe|Répéter le mot de passe|Mot de passe actuel|Se connecter|Créer un compte|Suivant|Afficher|Le nom d’utilisateur ou le mot de passe n’est pas correct.|Votre compte est verrouillé. Réessayez dans 15 minutes.|Vue d’ensemble|Se déconnecter|Modifier le mot de passe|Enregistrer|Un compte existe déjà avec cette adresse.',
  de: 'Benutzername|E-Mail-Adresse|Passwort|Neues Passwort|Passwort wiederholen|Aktuelles Passwort|Anmelden|Registrieren|Weiter|Anzeigen|Benutzername oder Passwort stimmen nicht.|Ihr Konto ist gesperrt. Versuchen Sie es in 15 Minuten erneut.|Übersicht|Abmelden|Passwort ändern|Speichern|Es gibt bereits ein Konto mit dieser Adresse.',
  pt: 'Nome de usuário|E-mail|Senha|Nova senha|Repetir senha|Senha atual|Entrar|Criar conta|Avançar|Mostrar|Usuário ou senha incorretos.|Sua conta está bloqueada. Tente novamente em 15 minutos.|Visão geral|Sair|Alterar senha|Salvar|Já existe uma conta com este e-mail.',
  it: 'Nome utente|Indirizzo e-mail|Password|Nuova password|Ripeti password|Password attuale|Accedi|Registrati|Avanti|Mostra|Nome utente o password errati.|Il tuo account è bloccato. Riprova tra 15 minuti.|Panoramica|Esci|Cambia password|Salva|Esiste già un account con questo indirizzo.',
  nl: 'Gebruikersnaam|E-mailadres|Wachtwoord|Nieuw wachtwoord|Herhaal wachtwoord|Huidig wachtwoord|Inloggen|Registreren|Volgende|Tonen|De gebruikersnaam of het wachtwoord klopt niet.|Je account is geblokkeerd. Probeer het over 15 minuten opnieuw.|Overzicht|Uitloggen|Wachtwoord wijzigen|Opslaan|Er bestaat al een account met dit adres.',
  pl: 'Nazwa użytkownika|Adres e-mail|Hasło|Nowe hasło|Powtórz hasło|Obecne hasło|Zaloguj się|Zarejestruj się|Dalej|Pokaż|Nazwa użytkownika lub hasło są nieprawidłowe.|Twoje konto jest zablokowane. Spróbuj ponownie za 15 minut.|Przegląd|Wyloguj się|Zmień hasło|Zapisz|Konto z tym adresem już istnieje.',
  ru: 'Имя пользователя|Электронная почта|Пароль|Новый пароль|Повторите пароль|Текущий пароль|Войти|Зарегистрироваться|Далее|Показать|Неверное имя пользователя или пароль.|Ваша учётная запись заблокирована. Повторите попытку через 15 минут.|Обзор|Выйти|Изменить пароль|Сохранить|Учётная запись с таким адресом уже существует.',
  tr: 'Kullanıcı adı|E-posta adresi|Şifre|Yeni şifre|Şifreyi tekrarla|Mevcut şifre|Giriş yap|Kayıt ol|İleri|Göster|Kullanıcı adı veya şifre hatalı.|Hesabınız kilitlendi. 15 dakika sonra tekrar deneyin.|Genel bakış|Çıkış yap|Şifre değiştir|Kaydet|Bu adresle bir hesap zaten var.',
  ja: 'ユーザー名|メールアドレス|パスワード|新しいパスワード|パスワード(確認)|現在のパスワード|ログイン|新規登録|次へ|表示|ユーザー名またはパスワードが正しくありません。|アカウントがロックされています。15分後にもう一度お試しください。|概要|ログアウト|パスワードを変更|保存|このメールアドレスは既に登録されています。',
  zh: '用户名|电子邮箱|密码|新密码|确认密码|当前密码|登录|注册|下一步|显示|用户名或密码不正确。|您的账户已被锁定,请15分钟后重试。|概览|退出登录|修改密码|保存|该邮箱已被注册。',
  ko: '사용자 이름|이메일 주소|비밀번호|새 비밀번호|비밀번호 확인|현재 비밀번호|로그인|회원가입|다음|표시|사용자 이름 또는 비밀번호가 올바르지 않습니다.|계정이 잠겼습니다. 15분 후에 다시 시도하세요.|개요|로그아웃|비밀번호 변경|저장|이미 가입된 이메일 주소입니다.',
  ar: 'اسم المستخدم|البريد الإلكتروني|كلمة المرور|كلمة المرور الجديدة|تأكيد كلمة المرور|كلمة المرور الحالية|تسجيل الدخول|إنشاء حساب|التالي|إظهار|اسم المستخدم أو كلمة المرور غير صحيحة.|تم قفل حسابك. حاول مرة أخرى بعد 15 دقيقة.|نظرة عامة|تسجيل الخروج|تغيير كلمة المرور|حفظ|يوجد حساب بهذا العنوان بالفعل.',
  hi: 'उपयोगकर्ता नाम|ईमेल पता|पासवर्ड|नया पासवर्ड|पासवर्ड दोहराएँ|वर्तमान पासवर्ड|साइन इन करें|खाता बनाएँ|आगे|दिखाएँ|उपयोगकर्ता नाम या पासवर्ड गलत है।|आपका खाता लॉक है। 15 मिनट बाद फिर कोशिश करें।|अवलोकन|साइन आउट|पासवर्ड बदलें|सहेजें|इस पते से खाता पहले से मौजूद है।',
} as const

export type Language = keyof typeof rows

export const languages = Object.keys(rows) as Language[]

/** Returns the texts of a language. */
export function wordsOf(language: Language): Words {
  const texts = rows[language].split('|')
  return Object.fromEntries(keys.map((key, index) => [key, texts[index] ?? ''])) as Words
}
