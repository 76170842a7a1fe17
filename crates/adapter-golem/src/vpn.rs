//! The network API: virtual private networks (`/net-api/v2/vpn`).

use std::{net::IpAddr, time::Duration};

use serde::Deserialize;
use serde_json::json;

use crate::yagna::{Yagna, YagnaError, id};

const API: &str = "/net-api/v2/vpn/net";

/// A virtual private network. It exists as long as the daemon runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Vpn {
    pub(crate) id: String,
    /// The range, as address and prefix length.
    pub(crate) ip: String,
    #[serde(default)]
    pub(crate) mask: String,
}

/// A provider in a network.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct VpnNode {
    pub(crate) id: String,
    pub(crate) ip: IpAddr,
}

#[derive(Deserialize)]
struct Identity {
    identity: String,
}

impl Yagna {
    /// The identity that the app-key belongs to.
    pub(crate) async fn identity(&self) -> Result<String, YagnaError> {
        Ok(self.get::<Identity>("/me").await?.identity)
    }

    pub(crate) async fn vpns(&self) -> Result<Vec<Vpn>, YagnaError> {
        self.get(API).await
    }

    pub(crate) async fn vpn(&self, id: &str) -> Result<Option<Vpn>, YagnaError> {
        match self.get(&format!("{API}/{id}")).await {
            // A daemon that was started again knows neither the network nor its owner.
            Err(YagnaError::Refused(http::StatusCode::FORBIDDEN, _)) => Ok(None),
            Err(error) if error.is_absent() => Ok(None),
            answer => answer.map(Some),
        }
    }

    pub(crate) async fn create_vpn(&self, ip: &str, gateway: Option<IpAddr>) -> Result<String, YagnaError> {
        let answer = self.post(API, &json!({"ip": ip, "gateway": gateway})).await?;
        id(answer.get("id").cloned().unwrap_or_default())
    }

    /// Gives this requestor an address in a network.
    pub(crate) async fn join_vpn(&self, vpn: &str, ip: IpAddr) -> Result<(), YagnaError> {
        self.post(&format!("{API}/{vpn}/addresses"), &json!({"ip": ip})).await.map(drop)
    }

    pub(crate) async fn vpn_nodes(&self, vpn: &str) -> Result<Vec<VpnNode>, YagnaError> {
        self.get(&format!("{API}/{vpn}/nodes")).await
    }

    pub(crate) async fn add_vpn_node(&self, vpn: &str, node: &VpnNode) -> Result<(), YagnaError> {
        let body = json!({"id": node.id, "ip": node.ip});
        self.post(&format!("{API}/{vpn}/nodes"), &body).await.map(drop)
    }

    pub(crate) async fn remove_vpn_node(&self, vpn: &str, node: &str) -> Result<(), YagnaError> {
        self.delete(&format!("{API}/{vpn}/nodes/{node}"), Duration::ZERO).await
    }

    pub(crate) async fn delete_vpn(&self, vpn: &str) -> Result<(), YagnaError> {
        self.delete(&format!("{API}/{vpn}"), Duration::ZERO).await
    }
}

/// The path of the websocket that leads to a port in a network.
pub(crate) fn tcp_path(vpn: &str, ip: IpAddr, port: u16) -> String {
    format!("{API}/{vpn}/tcp/{ip}/{port}")
}
