/** Sessions held in other languages than English, each with neighbours that share its words. */

export interface Told {
  readonly key: string;
  readonly project: string;
  readonly title: string;
  readonly file: string;
  /** What was asked, and what was answered. */
  readonly turns: readonly (readonly [string, string])[];
}

export const MULTILINGUAL: readonly Told[] = [
  {
    key: "de-lager",
    project: "warehouse",
    title: "Lagerbestand wird negativ",
    file: "etl/bestand.py",
    turns: [
      [
        "Der Lagerbestand wird negativ, wenn zwei Bestellungen gleichzeitig eingehen. Woran liegt das?",
        "Beide Bestellungen lesen denselben Bestand, bevor eine von ihnen geschrieben hat. Ich würde die Zeile beim Lesen sperren (SELECT … FOR UPDATE).",
      ],
      [
        "Bitte umsetzen, mit Test.",
        "Umgesetzt: die Zeile wird gesperrt, und der Test schickt zwanzig Bestellungen auf einmal. Der Bestand bleibt bei null stehen, die übrigen werden abgelehnt.",
      ],
    ],
  },
  {
    key: "de-mahnung",
    project: "billing",
    title: "Mahnungen gehen an bezahlte Rechnungen",
    file: "app/mahnwesen.py",
    turns: [
      [
        "Kunden bekommen Mahnungen, obwohl sie längst überwiesen haben.",
        "Die Zahlungseingänge werden erst nachts verbucht, die Mahnungen aber schon um 18 Uhr verschickt.",
      ],
      [
        "Was schlägst du vor?",
        "Mahnungen laufen jetzt nach der Verbuchung und überspringen Rechnungen mit einem Eingang der letzten drei Tage. Die Prüfung steht in offene_posten().",
      ],
    ],
  },
  {
    key: "de-uebersetzung",
    project: "mobile",
    title: "Übersetzungen der Fehlermeldungen",
    file: "lib/l10n/app_de.arb",
    turns: [
      [
        "Die Fehlermeldungen sind noch auf Englisch. Übersetze sie und duze die Leute.",
        "Alle 64 Meldungen sind übersetzt. Aus „Invalid input“ wurde „Da stimmt etwas nicht: …“ mit einem Hinweis, was zu tun ist.",
      ],
    ],
  },
  {
    key: "de-rechnung",
    project: "billing",
    title: "Rechnungsnummern mit Lücken",
    file: "app/rechnungsnummer.py",
    turns: [
      [
        "Das Finanzamt bemängelt Lücken in den Rechnungsnummern. Wie vergeben wir sie lückenlos?",
        "Eine Sequenz lässt bei Abbrüchen Lücken. Stattdessen zählt eine Tabelle je Jahrgang, gesperrt in derselben Transaktion wie die Rechnung.",
      ],
    ],
  },
  {
    key: "de-drucker",
    project: "warehouse",
    title: "Etikettendrucker druckt doppelt",
    file: "etl/etiketten.py",
    turns: [
      [
        "Der Etikettendrucker druckt jedes Paket zweimal, aber nur in Halle 3.",
        "In Halle 3 läuft der alte Druckdienst noch neben dem neuen; beide holen denselben Auftrag ab. Ich habe den alten abgeschaltet und Aufträge werden nun beim Abholen quittiert.",
      ],
    ],
  },
  {
    key: "de-bestellung",
    project: "storefront",
    title: "Bestellübersicht zeigt falsche Währung",
    file: "web/src/Bestellungen.tsx",
    turns: [
      [
        "In der Bestellübersicht stehen Schweizer Bestellungen in Euro.",
        "Die Währung kommt aus dem Browser statt aus der Bestellung. Jetzt wird sie mit der Bestellung gespeichert und angezeigt.",
      ],
    ],
  },
  {
    key: "ja-login",
    project: "accounts",
    title: "ログイン画面が固まる",
    file: "web/src/login/LoginForm.tsx",
    turns: [
      [
        "ログインボタンを押すと画面が固まります。原因を調べてください。",
        "送信中に無効化されたボタンが、エラーの後に元へ戻らないためです。finally で状態を戻すように修正しました。",
      ],
      ["テストも追加してください。", "通信エラーの場合のテストを追加しました。すべて成功しています。"],
    ],
  },
  {
    key: "ja-search",
    project: "storefront",
    title: "商品検索の速度改善",
    file: "src/search/suggest.rs",
    turns: [
      [
        "商品の全文検索が遅いので、速度を改善したいです。",
        "二文字ごとの索引を作り、検索時間は一秒から二十ミリ秒になりました。",
      ],
    ],
  },
  {
    key: "ja-mail",
    project: "accounts",
    title: "確認メールの文字化け",
    file: "src/mail/confirm.ts",
    turns: [
      [
        "確認メールの件名が文字化けしています。",
        "件名が ISO-2022-JP のまま送られていました。UTF-8 で符号化するように直しました。",
      ],
    ],
  },
  {
    key: "ja-backup",
    project: "ops",
    title: "データベースのバックアップ",
    file: "scripts/backup.sh",
    turns: [
      [
        "毎晩データベースのバックアップを取り、三十日で消す仕組みを作ってください。",
        "pg_dump を午前三時に実行し、古いファイルは三十日後に削除します。復元の手順も書きました。",
      ],
    ],
  },
  {
    key: "ja-screen",
    project: "mobile",
    title: "商品画面のレイアウト崩れ",
    file: "lib/product/screen.dart",
    turns: [["商品画面を横向きにするとレイアウトが崩れます。", "横幅に応じて列の数を変えるようにしました。"]],
  },
  {
    key: "zh-payment",
    project: "billing",
    title: "支付回调重复处理",
    file: "app/pay/callback.py",
    turns: [
      [
        "支付回调被重复处理，用户被扣了两次款。",
        "回调没有幂等性检查。我用订单号做唯一键，重复的回调直接返回成功。",
      ],
      ["已经多扣的钱怎么退？", "脚本列出了十二笔重复扣款，逐笔退款并发送通知。"],
    ],
  },
  {
    key: "zh-cache",
    project: "gateway",
    title: "缓存击穿导致服务超时",
    file: "src/cache/loader.ts",
    turns: [
      [
        "热门商品的缓存过期时，数据库被大量请求压垮，接口超时。",
        "这是缓存击穿。现在只有一个请求去加载，其他请求等待结果，过期时间加了随机值。",
      ],
    ],
  },
  {
    key: "zh-export",
    project: "warehouse",
    title: "导出表格中文乱码",
    file: "etl/export_excel.py",
    turns: [
      [
        "导出的表格用 Excel 打开是乱码。",
        "文件缺少 BOM，Excel 按本地编码读取。写入时加上 utf-8-sig 就好了。",
      ],
    ],
  },
  {
    key: "zh-login",
    project: "accounts",
    title: "登录验证码收不到",
    file: "src/sms/send.ts",
    turns: [
      [
        "用户反映收不到登录验证码。",
        "短信服务商限制同一号码每分钟一条，重试被丢弃。现在六十秒内不再重复发送，并提示剩余时间。",
      ],
    ],
  },
  {
    key: "zh-order",
    project: "storefront",
    title: "订单列表分页错误",
    file: "web/src/orders/list.ts",
    turns: [
      ["订单列表第二页出现重复的订单。", "排序字段不唯一，分页时顺序不稳定。按时间和编号一起排序即可。"],
    ],
  },
];
