// How to sign, in a few languages. Nothing of a request gets into them: URL, PATH and SECRET are for the reader to fill in.

export const SAMPLES = ['Python', 'Node', 'PHP', 'Go', 'Rust', 'shell'] as const;
export type Sample = (typeof SAMPLES)[number];

/** The raw body is signed. */
const RAW: Record<Sample, string> = {
  Python: `body = json.dumps(event).encode()  # once: sign and send the same bytes
signature = hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()
requests.post(URL, data=body, headers={
    "Content-Type": "application/json", "X-Signature": signature})`,
  Node: `const body = JSON.stringify(event); // once: sign and send the same bytes
const signature = crypto.createHmac('sha1', SECRET).update(body).digest('hex');
await fetch(URL, { method: 'POST', body, headers: {
  'Content-Type': 'application/json', 'X-Signature': signature } });`,
  PHP: `$body = json_encode($event); // once: sign and send the same bytes
$signature = hash_hmac('sha1', $body, $secret);
curl_setopt_array($curl, [CURLOPT_URL => $url, CURLOPT_POSTFIELDS => $body,
    CURLOPT_HTTPHEADER => ['Content-Type: application/json', "X-Signature: $signature"]]);`,
  Go: `body, _ := json.Marshal(event) // once: sign and send the same bytes
mac := hmac.New(sha1.New, []byte(secret))
mac.Write(body)
request, _ := http.NewRequest("POST", url, bytes.NewReader(body))
request.Header.Set("Content-Type", "application/json")
request.Header.Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))`,
  Rust: `let body = serde_json::to_vec(&event)?; // once: sign and send the same bytes
let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes())?;
mac.update(&body);
client.post(url).header("Content-Type", "application/json")
    .header("X-Signature", hex::encode(mac.finalize().into_bytes())).body(body)`,
  shell: `signature=$(printf %s "$body" | openssl dgst -sha1 -hmac "$SECRET" -r | cut -d' ' -f1)
curl "$URL" -H 'Content-Type: application/json' -H "X-Signature: $signature" --data-raw "$body"`,
};

/** METHOD, Content-MD5, Content-Type, Date and path are signed. */
const CANONICAL: Record<Sample, string> = {
  Python: `body = json.dumps(event).encode()
md5 = hashlib.md5(body).hexdigest()
date = email.utils.formatdate()
text = "\\n".join(["POST", md5, "application/json", date, PATH])
signature = hmac.new(SECRET.encode(), text.encode(), hashlib.sha1).hexdigest()
requests.post(URL, data=body, headers={"Content-Type": "application/json",
    "Content-MD5": md5, "Date": date, "X-Signature": signature})`,
  Node: `const body = JSON.stringify(event);
const md5 = crypto.createHash('md5').update(body).digest('hex');
const date = new Date().toUTCString();
const text = ['POST', md5, 'application/json', date, PATH].join('\\n');
const signature = crypto.createHmac('sha1', SECRET).update(text).digest('hex');
// Send Content-Type, Content-MD5, Date and X-Signature with node:http: fetch may not set Date.`,
  PHP: `$body = json_encode($event);
$md5 = md5($body);
$date = gmdate('D, d M Y H:i:s').' +0000';
$text = implode("\\n", ['POST', $md5, 'application/json', $date, $path]);
$signature = hash_hmac('sha1', $text, $secret);
$headers = ['Content-Type: application/json', "Content-MD5: $md5", "Date: $date", "X-Signature: $signature"];`,
  Go: `body, _ := json.Marshal(event)
md5 := fmt.Sprintf("%x", md5.Sum(body))
date := time.Now().UTC().Format(time.RFC1123Z)
mac := hmac.New(sha1.New, []byte(secret))
mac.Write([]byte(strings.Join([]string{"POST", md5, "application/json", date, path}, "\\n")))
signature := hex.EncodeToString(mac.Sum(nil)) // and send Content-Type, Content-MD5, Date, X-Signature`,
  Rust: `let body = serde_json::to_vec(&event)?;
let md5 = hex::encode(Md5::digest(&body));
let date = httpdate::fmt_http_date(SystemTime::now());
let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes())?;
mac.update(["POST", &md5, "application/json", &date, path].join("\\n").as_bytes());
let signature = hex::encode(mac.finalize().into_bytes()); // and send Content-Type, Content-MD5, Date, X-Signature`,
  shell: `md5=$(printf %s "$body" | md5sum | cut -d' ' -f1)
date=$(LC_ALL=C date -uR)
signature=$(printf '%s\\n%s\\n%s\\n%s\\n%s' POST "$md5" application/json "$date" "$PATH_OF_URL" |
  openssl dgst -sha1 -hmac "$SECRET" -r | cut -d' ' -f1)
curl "$URL" -H 'Content-Type: application/json' -H "Content-MD5: $md5" -H "Date: $date" \\
  -H "X-Signature: $signature" --data-raw "$body"`,
};

export function sample(language: Sample, isCanonical: boolean): string {
  return (isCanonical ? CANONICAL : RAW)[language];
}
