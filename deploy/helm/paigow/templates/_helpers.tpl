{{/* The name of the objects: the same for every release, since alerts and clients know it. */}}
{{- define "paigow.name" -}}
{{- default "paigow" .Values.nameOverride -}}
{{- end }}

{{/* Labels of every object. Those of pods and selectors are apart: they never change with a version. */}}
{{- define "paigow.labels" -}}
app.kubernetes.io/name: {{ include "paigow.name" . }}
app.kubernetes.io/part-of: paigow
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What tells the pods of one component; called with (list . "server"). */}}
{{- define "paigow.selector" -}}
app.kubernetes.io/name: {{ include "paigow.name" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "paigow.image" -}}
{{- .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The settings file. */}}
{{- define "paigow.settings" -}}
{{- default (.Files.Get "files/paigow.toml") .Values.settings -}}
{{- end }}

{{/* Its ConfigMap: other settings are another name, and so a rollout. */}}
{{- define "paigow.settings.name" -}}
{{ include "paigow.name" . }}-settings-{{ include "paigow.settings" . | sha256sum | trunc 10 }}
{{- end }}

{{/* What every pod has. */}}
{{- define "paigow.pod" -}}
automountServiceAccountToken: false
# Otherwise a Service named paigow puts PAIGOW_PORT=tcp://... into the environment. That is not a
# setting, and stops the start.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "paigow.pod.security" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "paigow.container.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Look-ups of names, in a NetworkPolicy. */}}
{{- define "paigow.dns" -}}
- to: {{- toYaml .Values.networkPolicy.dns | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}
