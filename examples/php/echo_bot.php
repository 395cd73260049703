<?php
/** Echo bot: an integration that posts each answer of an account user back as a message of the customer. */
declare(strict_types=1);

$setting = fn (string $name) => getenv($name) ?: throw new RuntimeException("Set the environment variable $name.");
[$url, $scope, $secret] = array_map($setting, ['SWITCHBOARD_URL', 'SWITCHBOARD_SCOPE_ID', 'SWITCHBOARD_CHANNEL_SECRET']);
$sign = fn (string $body) => hash_hmac('sha1', $body, $secret);

/** Posts a customer's message. Gives the status of the answer, or 0 if the connection broke. */
$post = function (string $body) use ($url, $scope, $sign): int {
    $answer = @fopen("$url/v2/origin/custom/$scope", 'r', false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', "X-Signature: {$sign($body)}"],
        'content' => $body,
        'timeout' => 5,
        'ignore_errors' => true, // A refusal has a status, too.
    ]]));
    return $answer ? (int) substr(stream_get_meta_data($answer)['wrapper_data'][0], strlen('HTTP/1.1 '), 3) : 0;
};

/** Handles a callback and gives the status of its answer. */
$handle = function (string $body, string $signature) use ($sign, $post): int {
    if (!hash_equals($sign($body), $signature)) {
        return 403;
    }
    $event = json_decode($body, true)['message'] ?? null; // absent in callbacks about typing and reactions
    if (($event['message']['type'] ?? '') !== 'text') {
        return 200;
    }
    [$chat, $customer] = [$event['conversation'], $event['receiver']];
    // All of it follows from the callback, so a callback that comes twice makes the same message, which is stored once.
    $message = json_encode(['event_type' => 'new_message', 'payload' => [
        'timestamp' => $event['timestamp'],
        'msgid' => "echo-{$event['message']['id']}",
        'conversation_id' => $chat['client_id'] ?: $chat['id'],
        'conversation_ref_id' => $chat['id'],
        'sender' => [
            'id' => $customer['client_id'] ?: $customer['id'],
            'name' => $customer['name'] ?? 'Customer',
            'avatar' => 'https://example.com/customer.png', // Signatures over the body come with a body that has one.
        ],
        'message' => ['type' => 'text', 'text' => "echo: {$event['message']['text']}"],
    ]]);
    $status = $post($message) ?: $post($message);
    return $status >= 200 && $status < 300 ? 200 : 503; // 503: the service repeats the callback.
};

$server = stream_socket_server('tcp://127.0.0.1:' . (getenv('PORT') ?: '0'), $code, $why) ?: throw new RuntimeException($why);
echo 'Listening on ', stream_socket_get_name($server, false), "\n";
while (true) {
    if (!$connection = @stream_socket_accept($server, 3600)) {
        continue;
    }
    stream_set_timeout($connection, 5);
    for ($head = ''; !str_ends_with($head, "\r\n\r\n") && $line = fgets($connection); $head .= $line);
    $header = fn (string $name) => preg_match("/^$name: *(\S*)/im", $head, $found) ? $found[1] : '';
    $status = $handle((string) stream_get_contents($connection, (int) $header('content-length')), $header('x-signature'));
    @fwrite($connection, "HTTP/1.1 $status Done\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($connection);
}
