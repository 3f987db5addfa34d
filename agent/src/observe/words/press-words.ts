/** Words of buttons and links, in the syntax of `wordList`. */

/** Controls that leave a form or help with it but never submit it. */
export const aside = [
  'show, hide, reveal, toggle*, peek, forgot*, lost, cancel, close, back, dismiss, clear, help, trouble*, need help, cookies?',
  'accept all, reject, language, generate, copy, resend, send again, try another, another way, other way, use a different',
  'anzeigen, einblenden, ausblenden, verbergen, vergessen, abbrechen, schliessen, zuruck, hilfe, erneut senden, alle akzeptieren, ablehnen',
  'afficher, masquer, oublie*, annuler, fermer, retour*, aide, renvoyer, tout accepter, refuser, mostrar, ocultar, olvid*, cancelar',
  'cerrar, volver, atras, ayuda, reenviar, aceptar todas?, rechazar, esquec*, fechar, voltar, ajuda, aceitar todos, rejeitar, mostra',
  'nascondi, dimenticat*, annulla, chiudi, indietro, aiuto, invia di nuovo, accetta tutti, rifiuta, tonen, weergeven, verbergen',
  'vergeten, annuleren, sluiten, terug, hulp, opnieuw verzenden, pokaz, ukryj, nie pamiet*, zapomn*, anuluj, zamknij, wstecz, wroc',
  'pomoc, показать, скрыть, забыл*, отмен*, закрыть, назад, помощь, отправить (снова/повторно), показати, приховати, скасувати',
  'закрити, допомога, goster, gizle, unuttu*, iptal, vazgec, kapat, geri, yardim, yeniden gonder, zobrazit, skryt, zrusit, zavrit, zpet',
  'visa, dolj, glomt*, avbryt, stang, tillbaka, hjalp, vis, skjul, glemt*, annuller, luk, tilbage, lukk, tilbake, hjelp, nayta, piilota',
  'unohd*, peruuta, sulje, takaisin, ohje, 表示, 忘れ, キャンセル, 閉じる, 戻る, ヘルプ, 再送, 显示, 顯示, 隐藏, 隱藏, 忘记, 忘記, 取消, 关闭',
  '關閉, 返回, 帮助, 幫助, 重新发送, 重新傳送, 표시, 보기, 숨기기, 잊으, 찾기, 취소, 닫기, 뒤로, 도움말, 재전송, إظهار, عرض, إخفاء, نسيت',
  'إلغاء, إغلاق, رجوع, مساعدة, إعادة إرسال, दिखाएं, छिपाएं, छुपाएं, भूल, रद्द, बंद, वापस, मदद, सहायता',
]

/** Controls that create an account. */
export const signUp = [
  'sign up, register, registration, create (an/my/your/a free/free)? ?account, join*, enroll?, get started, open an account',
  'registrieren, konto (erstellen/anlegen), s inscrire, inscription, inscrivez*, creer (un/mon/votre)? ?compte, registrarse, registrate',
  'crear (una/mi)? ?cuenta, inscrib*, cadastr*, inscrev*, criar (uma)? ?conta, registrar, registrati, iscriviti, crea (un)? ?account',
  'registreren, aanmelden, account (maken/aanmaken), zarejestruj*, zaloz konto, utworz konto, зарегистр*, регистрация, создать аккаунт',
  'зареєстр*, реєстрація, kaydol*, kayit ol*, uye ol*, hesap olustur, zaregistrovat*, registrace, vytvorit ucet, registrera*, skapa konto',
  'tilmeld*, opret konto, registrer*, opprett konto, rekisteroid*, luo tili, 新規登録, 会員登録, アカウント(を)?作成, 登録, 注册, 註冊',
  '创建帐户, 创建账号, 建立帳戶, 회원가입, 가입, 계정 만들기, 注册账号, إنشاء حساب, تسجيل جديد, اشتراك, التسجيل, साइन अप, पंजीकरण, पंजीकृत, खाता बनाएं',
]

/** Controls and headings of a login. */
export const signIn = [
  'sign in, log in, log on, sign on, signin*, login*, anmelden, einloggen, anmeldung, connexion, se connecter, connectez*, s identifier',
  'iniciar sesion, inicia sesion, inicio de sesion, acceder, ingresar, entrar, iniciar sessao, accedi*, accesso, inloggen, aanmelden',
  'zaloguj*, logowanie, войти, вход*, увійти, вхід, giris*, oturum ac*, prihlasit*, prihlaseni, logga in, log ind, logg inn, logg pa',
  'kirjaudu*, ログイン, サインイン, 登录, 登錄, 登入, 로그인, تسجيل الدخول, دخول, साइन इन, लॉग इन, लॉगिन',
]
