<?php
// What the drivers of libraries for PHP share: each operation runs by itself, and is reported by its name.
declare(strict_types=1);

$given = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
require $given['modules'] . '/vendor/autoload.php';

/** Runs operations in their order; each fails by throwing. */
function run(array $operations): void
{
    $report = [];
    foreach ($operations as $name => $operation) {
        try {
            $operation();
            $report[$name] = '';
        } catch (Throwable $error) {
            $details = $error instanceof AmoCRM\Exceptions\AmoCRMApiErrorResponseException
                ? json_encode($error->getValidationErrors(), JSON_UNESCAPED_UNICODE)
                : '';
            $report[$name] = substr(get_class($error) . ": {$error->getMessage()} $details", 0, 300);
        }
    }
    echo json_encode($report, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
}

/** Fails unless both are equal. */
function expect($found, $wanted): void
{
    if ($found !== $wanted) {
        throw new Exception('expected ' . json_encode($wanted) . ', found ' . json_encode($found));
    }
}
