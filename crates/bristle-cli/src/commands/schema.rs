use crate::failure::Failure;
use crate::reply::Reply;

/// Print the JSON schema of scenarios, with which an editor completes and checks them.
#[derive(Debug, clap::Args)]
pub struct Schema {}

impl Schema {
    pub fn obey(self) -> Result<Reply, Failure> {
        Ok(Reply::new(bristle::schema_text()))
    }
}
