<?php
// Prints the trees of all forms in a folder, as PHP fills $_POST.
$trees = [];
foreach (glob($argv[1] . '/*.form') as $form) {
    parse_str(file_get_contents($form), $tree);
    $trees[basename($form, '.form')] = $tree;
}
echo json_encode($trees, JSON_THROW_ON_ERROR);
