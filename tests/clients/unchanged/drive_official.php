<?php
// Drives the counterpart's own library for PHP, as Composer installs it.
declare(strict_types=1);

require __DIR__ . '/operations.php';

use AmoCRM\Client\AmoCRMApiClient;
use AmoCRM\Collections\Chats\Templates\Buttons\ButtonsCollection;
use AmoCRM\Collections\Chats\Templates\TemplatesCollection;
use AmoCRM\Collections\ContactsCollection;
use AmoCRM\Collections\CustomFieldsValuesCollection;
use AmoCRM\Collections\Leads\Pipelines\Statuses\StatusesCollection;
use AmoCRM\Collections\LinksCollection;
use AmoCRM\Exceptions\AmoCRMApiNoContentException;
use AmoCRM\Filters\Chats\TemplatesFilter;
use AmoCRM\Filters\EntitiesLinksFilter;
use AmoCRM\Filters\EventsFilter;
use AmoCRM\Filters\TasksFilter;
use AmoCRM\Filters\UnsortedFilter;
use AmoCRM\Filters\UnsortedSummaryFilter;
use AmoCRM\Filters\WebhooksFilter;
use AmoCRM\Models\Chats\Templates\Buttons\TextButtonModel;
use AmoCRM\Models\Chats\Templates\ReviewModel;
use AmoCRM\Models\Chats\Templates\TemplateModel;
use AmoCRM\Models\ContactModel;
use AmoCRM\Models\CustomFields\TextCustomFieldModel;
use AmoCRM\Models\CustomFieldsValues\TextCustomFieldValuesModel;
use AmoCRM\Models\CustomFieldsValues\ValueCollections\TextCustomFieldValueCollection;
use AmoCRM\Models\CustomFieldsValues\ValueModels\TextCustomFieldValueModel;
use AmoCRM\Models\LeadModel;
use AmoCRM\Models\Leads\Pipelines\PipelineModel;
use AmoCRM\Models\Leads\Pipelines\Statuses\StatusModel;
use AmoCRM\Models\LinkModel;
use AmoCRM\Models\TaskModel;
use AmoCRM\Models\Unsorted\FormsMetadata;
use AmoCRM\Models\Unsorted\FormUnsortedModel;
use AmoCRM\Models\WebhookModel;
use League\OAuth2\Client\Token\AccessToken;

$amo = (new AmoCRMApiClient('-', '-', '-'))
    ->setAccessToken(new AccessToken(['access_token' => $given['token'], 'expires' => time() + 3600]))
    ->setAccountBaseDomain("{$given['subdomain']}.amocrm.ru");
$destination = 'https://hooks.example.org/in?k=7d1f';

/** The ids that the links of an entity lead to. */
$linked = static fn($links): array => array_map(static fn($link) => $link->getToEntityId(), iterator_to_array($links));

/** The links of a lead; the library throws where there are none. */
$links_of_lead = static function (LeadModel $lead) use ($amo, $linked): array {
    try {
        return $linked($amo->leads()->getLinks($lead));
    } catch (AmoCRMApiNoContentException) {
        return [];
    }
};

/** A new contact. */
$contact = static fn(): ContactModel => $amo->contacts()->addOne((new ContactModel())->setName('made by the library'));

/** A form that a visitor of a website has sent. */
$form = static function (string $name): FormUnsortedModel {
    $metadata = (new FormsMetadata())
        ->setFormId('order')->setFormName('Order')->setFormPage('https://shop.example.org/order')
        ->setFormSentAt(time())->setReferer('https://search.example.org')->setIp('192.0.2.7');
    $form = (new FormUnsortedModel())->setMetadata($metadata);
    $form->setSourceName('Shop')->setSourceUid("shop-$name")->setCreatedAt(time())->setPipelineId(1);
    $form->setLead((new LeadModel())->setName($name)->setPrice(500));
    $form->setContacts((new ContactsCollection())->add((new ContactModel())->setName('Grace')));
    return $form;
};

/** The unsorted leads of a category. */
$unsorted = static fn(string $category) => $amo->unsorted()->get((new UnsortedFilter())->setCategory([$category]));

run([
    'subscribe webhook' => function () use ($amo, $destination) {
        $webhook = (new WebhookModel())->setDestination($destination)->setSettings(['add_message', 'update_talk']);
        $webhook = $amo->webhooks()->subscribe($webhook);
        expect($webhook->getDestination(), $destination);
        expect($webhook->getSettings(), ['add_message', 'update_talk']);
        expect($webhook->getDisabled(), false);
    },
    'list webhooks' => function () use ($amo, $destination) {
        $webhooks = $amo->webhooks()->get((new WebhooksFilter())->setDestination($destination));
        expect([$webhooks->count(), $webhooks->first()->getDestination()], [1, $destination]);
        expect($amo->webhooks()->get()->count(), 1);
    },
    'unsubscribe webhook' => function () use ($amo, $destination) {
        expect($amo->webhooks()->unsubscribe((new WebhookModel())->setDestination($destination)), true);
        $amo->webhooks()->subscribe((new WebhookModel())->setDestination("$destination&2")->setSettings(['add_lead']));
        expect($amo->webhooks()->get()->first()->getDestination(), "$destination&2");
        expect($amo->webhooks()->unsubscribe((new WebhookModel())->setDestination("$destination&2")), true);
    },
    'create lead with contact' => function () use ($amo) {
        $lead = (new LeadModel())->setName('complex')->setPrice(700)->setRequestId('r-1');
        $lead->setContacts((new ContactsCollection())->add((new ContactModel())->setName('Grace')));
        $made = $amo->leads()->addOneComplex($lead);
        expect([$made->isMerged(), $made->getComplexRequestIds()], [false, ['r-1']]);
        $lead = $amo->leads()->getOne($made->getId(), [LeadModel::CONTACTS]);
        expect([$lead->getName(), $lead->getPrice()], ['complex', 700]);
        expect($lead->getContacts()->first()->getId(), $made->getContacts()->first()->getId());
    },
    'link and unlink' => function () use ($amo, $links_of_lead, $linked, $contact) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('linked'));
        $other = $contact();
        $links = $amo->leads()->link($lead, (new LinksCollection())->add($other));
        expect($linked($links), [$other->getId()]);
        expect($links_of_lead($lead), [$other->getId()]);
        expect($amo->leads()->unlink($lead, (new LinksCollection())->add($other)), true);
        expect($links_of_lead($lead), []);
    },
    'links of many' => function () use ($amo, $linked, $contact) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('linked'));
        $other = $contact();
        $link = (new LinkModel())->setEntityId($lead->getId())->setEntityType('leads');
        $link->setToEntityId($other->getId())->setToEntityType('contacts')->setMetadata(['is_main' => true]);
        $amo->links('leads')->add((new LinksCollection())->add($link));
        $links = $amo->links('leads')->get(new EntitiesLinksFilter([$lead->getId()]));
        expect($linked($links), [$other->getId()]);
        expect($links->first()->getMetadata(), ['main_contact' => true]);
    },
    'templates with reviews' => function () use ($amo) {
        $one = (new TemplateModel())->setName('One')->setContent('Lead {{lead.name}}')->setExternalId('one')->setRequestId('r-1');
        $two = (new TemplateModel())->setName('Two')->setContent('Hi')->setExternalId('two')->setRequestId('r-2');
        $amo->chatTemplates()->add((new TemplatesCollection())->add($one)->add($two));
        expect($two->getId() - $one->getId(), 1);
        $button = (new TextButtonModel())->setText('Yes');
        $one->setButtons((new ButtonsCollection())->add($button))->setType(TemplateModel::TYPE_WABA);
        $one->setWabaExamples(['{{lead.name}}' => 'An order']);
        expect($amo->chatTemplates()->updateOne($one)->getButtons()->count(), 1);
        $reviews = $amo->chatTemplates()->sendOnReview($one);
        expect($reviews->first()->getStatus(), ReviewModel::STATUS_REVIEW_NAME);
        $all = $amo->chatTemplates()->get(null, TemplateModel::getAvailableWith());
        expect($all->getBy('id', $one->getId())->getWabaExamples(), ['{{lead.name}}' => 'An order']);
        expect($all->getBy('id', $two->getId())->getWabaExamples(), []);
        $rejected = $reviews->first()->setStatus(ReviewModel::STATUS_REJECTED_NAME)->setRejectReason('No');
        expect($amo->chatTemplates()->updateReviewStatus($one, $rejected)->getRejectReason(), 'No');
        $found = $amo->chatTemplates()->get((new TemplatesFilter())->setExternalIds(['one', 'two']));
        expect($found->count(), 2);
        expect($amo->chatTemplates()->deleteOne($one), true);
        expect($amo->chatTemplates()->delete((new TemplatesCollection())->add($two)), true);
    },
    'unlink many' => function () use ($amo, $contact) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('linked'));
        $link = (new LinkModel())->setEntityId($lead->getId())->setEntityType('leads');
        $link->setToEntityId($contact()->getId())->setToEntityType('contacts');
        $amo->links('leads')->add((new LinksCollection())->add($link));
        $amo->links('leads')->delete((new LinksCollection())->add($link));
    },
    'events by type' => function () use ($amo) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('eventful'));
        $amo->leads()->updateOne($lead->setStatusId(142));
        $filter = (new EventsFilter())->setTypes(['lead_status_changed'])->setEntity(['lead']);
        $events = $amo->events()->get($filter->setEntityIds([$lead->getId()]));
        expect($events->count(), 1);
        $event = $events->first();
        expect([$event->getType(), $event->getEntityId()], ['lead_status_changed', $lead->getId()]);
        expect($event->getValueAfter()[0]['lead_status']['id'], 142);
        expect($amo->events()->getOne($event->getId())->getType(), 'lead_status_changed');
    },
    'events of chats' => function () use ($amo) {
        $types = ['incoming_chat_message', 'outgoing_chat_message'];
        $events = iterator_to_array($amo->events()->get((new EventsFilter())->setTypes($types)));
        $found = array_unique(array_map(static fn($event) => $event->getType(), $events));
        sort($found);
        expect($found, $types);
    },
    'create unsorted forms' => function () use ($amo, $form) {
        $made = $amo->unsorted()->addOne($form('a form'));
        $form = $amo->unsorted()->getOne($made->getUid());
        expect([$form->getCategory(), $form->getMetadata()->getFormName()], ['forms', 'Order']);
        $lead = $amo->unsorted()->accept($form)->getLeads()->first();
        expect($amo->leads()->getOne($lead->getId())->getName(), 'a form');
    },
    'decline unsorted forms' => function () use ($amo, $form) {
        $made = $amo->unsorted()->addOne($form('no'));
        expect($amo->unsorted()->decline($made)->getUid(), $made->getUid());
    },
    'link unsorted chat' => function () use ($amo, $unsorted) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('of a chat'));
        $chat = $unsorted('chats')->first();
        $link = ['link' => ['entity_id' => $lead->getId(), 'entity_type' => 'leads']];
        $result = $amo->unsorted()->link($chat, $link);
        expect([$result->getUid(), $result->getLeads()->first()->getId()], [$chat->getUid(), $lead->getId()]);
    },
    'summary of unsorted' => function () use ($amo) {
        $summary = $amo->unsorted()->summary(new UnsortedSummaryFilter());
        expect(array_keys($summary->getCategories()), ['sip', 'mail', 'forms', 'chats']);
        expect([$summary->getAccepted(), $summary->getDeclined()], [1, 1]);
    },
    'tasks' => function () use ($amo) {
        $lead = $amo->leads()->addOne((new LeadModel())->setName('to be called'));
        $due = time() + 86400;
        $task = (new TaskModel())->setTaskTypeId(TaskModel::TASK_TYPE_ID_CALL)->setText('Call')->setCompleteTill($due);
        $task = $amo->tasks()->addOne($task->setEntityType('leads')->setEntityId($lead->getId()));
        $stored = $amo->tasks()->getOne($task->getId());
        expect([$stored->getText(), $stored->getCompleteTill(), $stored->getEntityId()], ['Call', $due, $lead->getId()]);
        $amo->tasks()->updateOne($stored->setIsCompleted(true)->setResult('called'));
        expect($amo->tasks()->getOne($task->getId())->getIsCompleted(), true);
        $filter = (new TasksFilter())->setEntityType('leads')->setEntityIds([$lead->getId()])->setIsCompleted(true);
        $tasks = $amo->tasks()->get($filter);
        expect([$tasks->count(), $tasks->first()->getId()], [1, $task->getId()]);
        expect($tasks->first()->getResult(), 'called');
    },
    'custom fields' => function () use ($amo) {
        $field = $amo->customFields('leads')->addOne((new TextCustomFieldModel())->setName('Colour')->setSort(7));
        $value = (new TextCustomFieldValueCollection())->add((new TextCustomFieldValueModel())->setValue('red'));
        $values = (new CustomFieldsValuesCollection())
            ->add((new TextCustomFieldValuesModel())->setFieldId($field->getId())->setValues($value));
        $lead = $amo->leads()->addOne((new LeadModel())->setName('coloured')->setCustomFieldsValues($values));
        $values = $amo->leads()->getOne($lead->getId())->getCustomFieldsValues();
        expect($values->getBy('fieldId', $field->getId())->getValues()->first()->getValue(), 'red');
        expect($amo->customFields('leads')->updateOne($field->setName('Paint'))->getName(), 'Paint');
        expect($amo->customFields('leads')->getOne($field->getId())->getName(), 'Paint');
        expect($amo->customFields('leads')->deleteOne($field), true);
    },
    'pipelines' => function () use ($amo) {
        $statuses = (new StatusesCollection())->add((new StatusModel())->setName('Called')->setColor('#fffd7f'));
        $pipeline = (new PipelineModel())->setName('Second')->setIsMain(false)->setSort(20)->setStatuses($statuses);
        $pipeline = $amo->pipelines()->addOne($pipeline->setIsUnsortedOn(true));
        expect($amo->pipelines()->getOne($pipeline->getId())->getStatuses()->getBy('name', 'Called')->getSort() > 0, true);
        $pipeline = $amo->pipelines()->updateOne($pipeline->setName('Third'));
        expect($amo->pipelines()->getOne($pipeline->getId())->getName(), 'Third');
        $status = $amo->statuses($pipeline->getId())->addOne((new StatusModel())->setName('Sent')->setColor('#ccc8f9')->setSort(50));
        expect($amo->statuses($pipeline->getId())->getOne($status->getId())->getName(), 'Sent');
        expect($amo->statuses($pipeline->getId())->deleteOne($status), true);
        expect($amo->pipelines()->deleteOne($pipeline), true);
    },
]);
