//! The methods that the server answers to every caller: health and reflection.

/// A method of the health or the reflection service. It needs no credentials.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum PublicMethod {
    HealthCheck,
    HealthWatch,
    ReflectionInfo,
    ReflectionAlphaInfo,
}

impl PublicMethod {
    /// Every public method.
    pub(super) const ALL: [Self; 4] =
        [Self::HealthCheck, Self::HealthWatch, Self::ReflectionInfo, Self::ReflectionAlphaInfo];

    /// Returns the path of the method in an HTTP request.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::HealthCheck => "/grpc.health.v1.Health/Check",
            Self::HealthWatch => "/grpc.health.v1.Health/Watch",
            Self::ReflectionInfo => "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            Self::ReflectionAlphaInfo => {
                "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
            }
        }
    }

    /// Returns the method at a path, or [`None`] for any other path.
    pub(super) fn from_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.path() == path)
    }

    /// Returns whether a call of the method is a stream, which may last as long as its
    /// connection.
    pub(super) const fn is_stream(self) -> bool {
        match self {
            Self::HealthCheck => false,
            Self::HealthWatch | Self::ReflectionInfo | Self::ReflectionAlphaInfo => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use prost_reflect::DescriptorPool;

    use super::*;

    #[test]
    fn the_public_methods_are_those_of_health_and_reflection() {
        let mut found = Vec::new();
        for descriptors in [
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ] {
            let pool = DescriptorPool::decode(descriptors).unwrap();
            for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>())
            {
                let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
                let entry = PublicMethod::from_path(&path);
                let entry = entry.unwrap_or_else(|| panic!("{path} has no entry"));
                assert_eq!(entry.is_stream(), method.is_server_streaming(), "{path}");
                found.push(path);
            }
        }
        assert_eq!(found, PublicMethod::ALL.map(PublicMethod::path));
    }
}
