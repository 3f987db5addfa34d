import type { Language } from './variant-texts.ts'

/** Texts of a second step, in the order of the rows below. */
const keys = [
  'title',
  'code',
  'totp',
  'sms',
  'mail',
  'voice',
  'push',
  'number',
  'key',
  'backup',
  'untold',
  'badCode',
  'confirm',
  'trust',
] as const

export type StepWords = Readonly<Record<(typeof keys)[number], string>>

const rows: Readonly<Record<Language, string>> = {
  en: 'Two-step verification|Code|Enter the code from your authenticator app.|We sent a text message with a code to your phone ending in 42.|We sent a code to your email address. Check your inbox.|We are calling you now. Enter the code that you hear.|Push notification sent. Respond on your mobile device.|Open your app and select the number 42 to approve the sign-in.|Insert your security key and touch it.|Enter one of your backup codes.|One more step to go.|That code is not valid.|Confirm|Trust this device for 30 days',
  es: 'Verificación en dos pasos|Código|Introduce el código de tu aplicación de autenticación.|Te hemos enviado un SMS con un código al teléfono terminado en 42.|Hemos enviado un código a tu correo electrónico.|Te estamos llamando. Introduce el código que escuches.|Notificación enviada. Responde en tu dispositivo móvil.|Abre la aplicación y elige el número 42 para aprobar el acceso.|Inserta tu llave de seguridad y tócala.|Introduce uno de tus códigos de respaldo.|Falta un paso.|El código no es válido.|Confirmar|Confiar en este dispositivo',
  fr: 'Vérification en deux étapes|Code|Saisissez le code de votre application d’authentification.|Nous avons envoyé un code par SMS au numéro se terminant par 42.|Nous avons envoyé un code à votre adresse e-mail.|Nous vous appelons. Saisissez le code que vous entendez.|Notification envoyée. Répondez sur votre appareil mobile.|Ouvrez l’application et choisissez le nombre 42 pour approuver la connexion.|Insérez votre clé de sécurité et touchez-la.|Saisissez l’un de vos codes de secours.|Encore une étape.|Ce code n’est pas valide.|Confirmer|Faire confiance à cet appareil',
  de: 'Bestätigung in zwei Schritten|Code|Geben Sie den Code aus Ihrer Authentifizierungs-App ein.|Wir haben einen Code per SMS an die Nummer mit der Endung 42 gesendet.|Wir haben einen Code an Ihre E-Mail-Adresse gesendet.|Wir rufen Sie an. Geben Sie den Code ein, den Sie hören.|Benachrichtigung gesendet. Antworten Sie auf Ihrem Mobilgerät.|Öffnen Sie die App und wählen Sie die Zahl 42, um die Anmeldung zu bestätigen.|Stecken Sie Ihren Sicherheitsschlüssel ein und berühren Sie ihn.|Geben Sie einen Ihrer Backup-Codes ein.|Noch ein Schritt.|Dieser Code ist ungültig.|Bestätigen|Diesem Gerät vertrauen',
  pt: 'Verificação em duas etapas|Código|Digite o código do seu aplicativo autenticador.|Enviamos um SMS com um código para o telefone com final 42.|Enviamos um código para o seu e-mail.|Estamos ligando para você. Digite o código que ouvir.|Notificação enviada. Responda no seu celular.|Abra o aplicativo e escolha o número 42 para aprovar o acesso.|Insira sua chave de segurança e toque nela.|Digite um dos seus códigos de backup.|Falta um passo.|Este código não é válido.|Confirmar|Confiar neste dispositivo',
  it: 'Verifica in due passaggi|Codice|Inserisci il codice della tua app di autenticazione.|Abbiamo inviato un SMS con un codice al numero che termina con 42.|Abbiamo inviato un codice al tuo indirizzo e-mail.|Ti stiamo chiamando. Inserisci il codice che senti.|Notifica inviata. Rispondi sul tuo dispositivo mobile.|Apri l’app e scegli il numero 42 per approvare l’accesso.|Inserisci la chiave di sicurezza e toccala.|Inserisci uno dei tuoi codici di backup.|Ancora un passaggio.|Il codice non è valido.|Conferma|Considera attendibile questo dispositivo',
  nl: 'Verificatie in twee stappen|Code|Voer de code uit je authenticatie-app in.|We hebben een sms met een code gestuurd naar het nummer dat eindigt op 42.|We hebben een code naar je e-mailadres gestuurd.|We bellen je nu. Voer de code in die je hoort.|Melding verzonden. Reageer op je mobiele apparaat.|Open de app en kies het getal 42 om het inloggen goed te keuren.|Plaats je beveiligingssleutel en raak hem aan.|Voer een van je back-upcodes in.|Nog één stap.|Deze code is ongeldig.|Bevestigen|Dit apparaat vertrouwen',
  pl: 'Weryfikacja dwuetapowa|Kod|Wpisz kod z aplikacji uwierzytelniającej.|Wysłaliśmy SMS z kodem na numer kończący się na 42.|Wysłaliśmy kod na Twój adres e-mail.|Dzwonimy do Ciebie. Wpisz usłyszany kod.|Wysłano powiadomienie. Odpowiedz na urządzeniu mobilnym.|Otwórz aplikację i wybierz liczbę 42, aby zatwierdzić logowanie.|Włóż klucz bezpieczeństwa i dotknij go.|Wpisz jeden z kodów zapasowych.|Jeszcze jeden krok.|Ten kod jest nieprawidłowy.|Potwierdź|Zaufaj temu urządzeniu',
  ru: 'Двухэтапная проверка|Код|Введите код из приложения для аутентификации.|Мы отправили SMS с кодом на номер, оканчивающийся на 42.|Мы отправили код на вашу электронную почту.|Мы вам звоним. Введите услышанный код.|Уведомление отправлено. Ответьте на мобильном устройстве.|Откройте приложение и выберите число 42, чтобы подтвердить вход.|Вставьте ключ безопасности и коснитесь его.|Введите один из резервных кодов.|Остался один шаг.|Неверный код.|Подтвердить|Доверять этому устройству',
  tr: 'İki adımlı doğrulama|Kod|Kimlik doğrulama uygulamanızdaki kodu girin.|Sonu 42 ile biten telefonunuza SMS ile bir kod gönderdik.|E-posta adresinize bir kod gönderdik.|Sizi arıyoruz. Duyduğunuz kodu girin.|Bildirim gönderildi. Mobil cihazınızdan yanıt verin.|Uygulamayı açın ve girişi onaylamak için 42 sayısını seçin.|Güvenlik anahtarınızı takın ve dokunun.|Yedek kodlarınızdan birini girin.|Bir adım kaldı.|Bu kod geçersiz.|Onayla|Bu cihaza güven',
  ja: '2段階認証|コード|認証アプリに表示されたコードを入力してください。|末尾が42の電話番号にSMSでコードを送信しました。|メールアドレスにコードを送信しました。|お電話しています。聞こえたコードを入力してください。|通知を送信しました。モバイル端末で応答してください。|アプリを開き、数字の42を選んでログインを承認してください。|セキュリティキーを挿入してタッチしてください。|バックアップコードを入力してください。|あと一歩です。|コードが正しくありません。|確認|この端末を信頼する',
  zh: '两步验证|验证码|请输入身份验证器应用中的验证码。|我们已向尾号42的手机发送短信验证码。|我们已向您的邮箱发送验证码。|我们正在致电给您,请输入您听到的验证码。|已发送推送通知,请在您的移动设备上响应。|请打开应用并选择数字42以批准登录。|请插入您的安全密钥并触摸它。|请输入一个备用验证码。|还差一步。|验证码无效。|确认|信任此设备',
  ko: '2단계 인증|코드|인증 앱에 표시된 코드를 입력하세요.|42로 끝나는 전화번호로 문자 메시지 코드를 보냈습니다.|이메일 주소로 코드를 보냈습니다.|전화를 걸고 있습니다. 들리는 코드를 입력하세요.|알림을 보냈습니다. 모바일 기기에서 응답하세요.|앱을 열고 숫자 42를 선택하여 로그인을 승인하세요.|보안 키를 꽂고 터치하세요.|백업 코드를 하나 입력하세요.|한 단계 남았습니다.|코드가 올바르지 않습니다.|확인|이 기기 신뢰',
  ar: 'التحقق بخطوتين|الرمز|أدخل الرمز من تطبيق المصادقة.|أرسلنا رسالة نصية قصيرة تحتوي على رمز إلى هاتفك المنتهي بـ 42.|أرسلنا رمزًا إلى بريدك الإلكتروني.|نتصل بك الآن. أدخل الرمز الذي تسمعه.|تم إرسال الإشعار. استجب على جهازك المحمول.|افتح التطبيق واختر الرقم 42 للموافقة على تسجيل الدخول.|أدخل مفتاح الأمان والمسه.|أدخل أحد الرموز الاحتياطية.|بقيت خطوة واحدة.|الرمز غير صالح.|تأكيد|الوثوق بهذا الجهاز',
  hi: 'दो-चरणीय सत्यापन|कोड|अपने प्रमाणक ऐप का कोड दर्ज करें।|हमने 42 पर समाप्त होने वाले फ़ोन पर SMS से कोड भेजा है।|हमने आपके ईमेल पते पर कोड भेजा है।|हम आपको कॉल कर रहे हैं। सुना हुआ कोड दर्ज करें।|सूचना भेजी गई। अपने मोबाइल डिवाइस पर जवाब दें।|ऐप खोलें और साइन इन स्वीकृत करने के लिए संख्या 42 चुनें।|अपनी सुरक्षा कुंजी लगाएँ और उसे छुएँ।|अपने बैकअप कोड में से एक दर्ज करें।|एक और चरण बाकी है।|यह कोड मान्य नहीं है।|पुष्टि करें|इस डिवाइस पर भरोसा करें',
}

/** Returns the texts of the second steps in a language. */
export function stepWordsOf(language: Language): StepWords {
  const texts = rows[language].split('|')
  return Object.fromEntries(keys.map((key, index) => [key, texts[index] ?? ''])) as StepWords
}
