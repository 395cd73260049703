//! A role and its holders never disagree, whatever fails and whenever the process ends.
use std::sync::Arc;

use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::roles::create::NewRole;
use switchboard_actors::domain::account::roles::update::RolePatch;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::RoleId;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::users::UserToAdd;
use switchboard_actors::{System, Threads};
use switchboard_worlds::{FaultyDisk, Setup, TestSystem, eventually};

use crate::images::PicturedDisk;

async fn create_role(test: &System) -> Result<RoleId, UnavailableError> {
    let role = NewRole {
        name: "Role".parse().unwrap(),
        rights: Rights::all(),
    };
    let result = test
        .create_roles(TestSystem::account_id(), By::Operator, vec![role])
        .await;
    match result {
        Ok(roles) => Ok(roles.first().unwrap().id),
        Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        Err(CommandError::Rejected(rejection)) => panic!("{rejection}"),
    }
}

async fn add_holder(test: &System, role: RoleId, name: &str) {
    let user = UserToAdd {
        name: name.parse().unwrap(),
        email: format!("{name}@example.com").parse().unwrap(),
        lang: None,
        standing: Some(Standing::Role(role)),
        group: Group::DEFAULT,
        password: Some("aBcde1@345".parse().unwrap()),
    };
    test.create_users(TestSystem::account_id(), By::Operator, vec![user])
        .await
        .unwrap();
}

async fn users(test: &System) -> Arc<Users> {
    test.users(TestSystem::account_id()).await.unwrap()
}

/// Every holder of a role holds one that is there, and who holds none any more has the rights that it gave.
fn consistent(users: &Users, role: RoleId, holders: usize) {
    let there = users.roles().contains_key(&role);
    let count = users.holders().get(&role).map_or(0, Vec::len);
    let all = Standing::Own(Box::new(Rights::all()));
    let own = users.iter().filter(|user| user.standing == all).count();
    if there {
        assert_eq!((count, own), (holders, 0));
    } else {
        assert_eq!((count, own), (0, holders));
    }
}

/// The owner of the roles sees what the users see: the next number, and whether the role is there.
async fn owners_agree(test: &System, role: RoleId) {
    let account = TestSystem::account_id();
    let there = users(test).await.roles().contains_key(&role);
    let patch = RolePatch {
        name: Some("Still there".parse().unwrap()),
        ..RolePatch::default()
    };
    assert_eq!(
        test.update_role(account, By::Operator, role, patch)
            .await
            .is_ok(),
        there
    );
}

#[actix::test]
async fn deleting_a_role_is_atomic_over_every_crash() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = PicturedDisk::default();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        let role = create_role(&test).await.unwrap();
        for name in ["a", "b", "c"] {
            add_holder(&test, role, name).await;
        }
        let account = TestSystem::account_id();
        test.delete_role(account, By::Operator, role).await.unwrap();
        assert!(!users(&test).await.roles().contains_key(&role));
        for seed in 0..20 {
            let after = Setup::on_disk(disk.crash(seed)).start_bare().unwrap();
            let list = users(&after).await;
            // It was acknowledged, so it has happened.
            assert!(!list.roles().contains_key(&role));
            consistent(&list, role, 3);
            owners_agree(&after, role).await;
        }
        test.stop().await;
    }
}

#[actix::test]
async fn a_role_deletion_that_could_not_be_written_has_no_effect() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = FaultyDisk::new();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        let account = TestSystem::account_id();
        let role = create_role(&test).await.unwrap();
        add_holder(&test, role, "a").await;
        disk.refuse_writes(true);
        let deletion = test.delete_role(account, By::Operator, role).await;
        disk.refuse_writes(false);
        assert!(
            matches!(
                deletion,
                Err(CommandError::Unavailable(UnavailableError::Interrupted))
            ),
            "{deletion:?}"
        );
        // Reading goes on and sees the role with its holder.
        let list = users(&test).await;
        assert_eq!(list.holders().get(&role).map(Vec::len), Some(1));
        eventually(|| test.writable().is_ok()).await;
        owners_agree(&test, role).await;
        test.delete_role(account, By::Operator, role).await.unwrap();
        assert!(users(&test).await.holders().is_empty());
        let test = test.restart().await;
        assert!(users(&test).await.roles().get(&role).is_none());
        test.stop().await;
    }
}

#[actix::test]
async fn holders_and_roles_agree_while_roles_change() {
    let mut setup = Setup::default();
    setup.config.threads = Threads::Own(2);
    let test = setup.start().await;
    let account = TestSystem::account_id();
    for round in 0..20 {
        let role = create_role(&test).await.unwrap();
        let name = format!("u{round}");
        let (_, deleted) = futures_util::future::join(
            async {
                let user = UserToAdd {
                    name: name.parse().unwrap(),
                    email: format!("{name}@example.com").parse().unwrap(),
                    lang: None,
                    standing: Some(Standing::Role(role)),
                    group: Group::DEFAULT,
                    password: Some("aBcde1@345".parse().unwrap()),
                };
                test.create_users(account, By::Operator, vec![user])
                    .await
                    .ok()
            },
            test.delete_role(account, By::Operator, role),
        )
        .await;
        deleted.unwrap();
        assert!(users(&test).await.holders().is_empty());
    }
    let test = test.restart().await;
    let list = users(&test).await;
    assert!(list.holders().is_empty() && list.roles().is_empty());
    test.stop().await;
}
